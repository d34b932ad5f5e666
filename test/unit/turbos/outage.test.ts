import { describe, expect, test } from 'vitest';
import type { OpenState } from '../../../electron/server/domain/commands/commandQueue.ts';
import {
  commandDelivery,
  nextOutage,
  type Outage,
  type OutageEvent,
} from '../../../electron/server/domain/devices/outage.ts';

const LASTING: Outage = { since: 10, until: null };
const OVER: Outage = { since: 10, until: 20 };
const LOST: OutageEvent = { kind: 'lost', at: 30 };
const REACHED: OutageEvent = { kind: 'reached', at: 30 };
const SHOWN: OutageEvent = { kind: 'shown', at: 30 };
const SHOWN_BEFORE: OutageEvent = { kind: 'shown', at: 10 };

test.each<[Outage | null, OutageEvent, Outage | null]>([
  [null, LOST, { since: 30, until: null }],
  [null, REACHED, null],
  [null, SHOWN, null],
  [LASTING, LOST, LASTING],
  [LASTING, REACHED, { since: 10, until: 30 }],
  [LASTING, SHOWN, { since: 10, until: 30 }],
  [LASTING, SHOWN_BEFORE, null],
  [OVER, LOST, { since: 30, until: null }],
  [OVER, REACHED, OVER],
  [OVER, SHOWN, OVER],
  [OVER, SHOWN_BEFORE, OVER],
])('%j and %j give %j', (outage, event, after) => expect(nextOutage(outage, event)).toEqual(after));

describe('the delivery of a command', () => {
  const queued: OpenState = { kind: 'queued', firstAt: 1 };
  const sent: OpenState = { kind: 'sent', firstAt: 1, sentAt: 2 };
  test("is the command's state, or unreachable for a sent command during an outage", () => {
    expect([null, OVER].map((outage) => commandDelivery(queued, outage))).toEqual(['queued', 'queued']);
    expect([null, LASTING, OVER].map((outage) => commandDelivery(sent, outage))).toEqual([
      'sent',
      'unreachable',
      'sent',
    ]);
  });
});
