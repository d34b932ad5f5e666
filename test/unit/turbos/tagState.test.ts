import { describe, expect, test } from 'vitest';
import type { TagRecord } from '../../../electron/server/turbo/openEPaper/accessPointAnswers.ts';
import {
  createTag,
  reportIdOf,
  takeRecord,
  type TagState,
} from '../../../electron/server/turbo/openEPaper/tagState.ts';

const PROGRAM = '813C130AE4530A03A30A0200';
const TYPE = { name: 'M3', width: 384, height: 168, hasButton: true, hasLed: true };
const RECORD: TagRecord = {
  mac: '0000A0B1C2000001',
  hash: '0'.repeat(32),
  lastseen: 1_000,
  pending: 0,
  rssi: -60,
  batteryMv: 2_900,
  hwType: 0x33,
  wakeupReason: 0,
  isExternal: false,
  updateCount: 5,
};

function tagWith(state: Partial<TagState> = {}): TagState {
  const tag = createTag({ record: RECORD, type: TYPE, session: 1 }, undefined, { isLive: false, nowMs: 0 });
  takeRecord(tag, RECORD, 1, 0);
  return Object.assign(tag, state);
}

function queued(wasPending: boolean): NonNullable<TagState['queued']> {
  return { token: 7, checksum: 70, picture: 700, countBefore: 5, sinceMs: 0, wasPending, session: 1 };
}

const heard = (tag: TagState, changes: Partial<TagRecord>, nowMs = 1_000, session = 1) =>
  takeRecord(tag, { ...RECORD, ...changes }, session, nowMs);

describe('a picture', () => {
  test('counts as shown when it is no longer queued and the tag has received something', () => {
    const tag = tagWith({ queued: queued(false) });
    expect(heard(tag, { pending: 1 })).toMatchObject({ isShown: false, isLost: false });
    expect(heard(tag, { pending: 0, updateCount: 6, hash: 'ab'.repeat(16) })).toMatchObject({ isShown: true });
    expect(tag).toMatchObject({ shown: { token: 7, checksum: 70, picture: 700 }, queued: undefined });
  });

  test('does not count as shown when only the LED program that was queued before it has arrived', () => {
    const tag = tagWith({ queued: queued(false), program: PROGRAM });
    const hash = PROGRAM.slice(0, 16).toLowerCase().padEnd(32, '0');
    expect(heard(tag, { updateCount: 6, hash })).toMatchObject({ isShown: false, isLost: false });
    expect(heard(tag, { updateCount: 7, hash: 'ab'.repeat(16) })).toMatchObject({ isShown: true });
  });

  test('is lost if it left the queue, was not queued in time, or if its access point restarted', () => {
    expect(heard(tagWith({ queued: queued(true) }), {}, 4_000).isLost).toBe(false);
    expect(heard(tagWith({ queued: queued(true) }), {}, 6_000).isLost).toBe(true);
    expect(heard(tagWith({ queued: queued(false) }), {}, 14_000).isLost).toBe(false);
    expect(heard(tagWith({ queued: queued(false) }), {}, 16_000).isLost).toBe(true);
    expect(heard(tagWith({ queued: queued(false) }), {}, 1_000, 2).isLost).toBe(true);
    expect(heard(tagWith({ queued: queued(true) }), { pending: 1 }, 99_000).isLost).toBe(false);
  });
});

describe('a press', () => {
  test('is recognized by a new second with one of three wake-up reasons', () => {
    for (const wakeupReason of [4, 5, 6]) {
      expect(heard(tagWith(), { wakeupReason, lastseen: 1_040 }).isPressed).toBe(true);
      expect(heard(tagWith({ pressedAt: 1_040 }), { wakeupReason, lastseen: 1_040 }).isPressed).toBe(false);
    }
    for (const wakeupReason of [0, 2, 3, 7, 15, 252])
      expect(heard(tagWith(), { wakeupReason, lastseen: 1_040 }).isPressed).toBe(false);
  });

  test('is recognized together with a picture that arrived before it', () => {
    const tag = tagWith({ queued: queued(true) });
    const news = heard(tag, { wakeupReason: 4, lastseen: 1_080, updateCount: 6, hash: 'ab'.repeat(16) });
    expect(news).toMatchObject({ isShown: true, isPressed: true });
    expect(tag.shown.token).toBe(7);
  });

  test('has its own increasing number, and a separate series while the clock has no time', () => {
    const tag = tagWith();
    const [one, two] = [1_795_000_000, 1_795_000_001].map((lastseen) => reportIdOf(tag, lastseen));
    expect(two?.epoch).toBe(one?.epoch);
    expect(two?.counter).toBe((one?.counter ?? 0) + 1);
    expect(reportIdOf(tag, 3_600).epoch).not.toBe(one?.epoch);
  });
});

test('ignores a record that is older than the last one, unless the access point restarted', () => {
  const tag = tagWith();
  heard(tag, { lastseen: 1_040, updateCount: 9 });
  expect(heard(tag, { lastseen: 1_000 }).hasCheckedIn).toBe(false);
  expect(tag.record.updateCount).toBe(9);
  heard(tag, { lastseen: 1_000 }, 1_000, 2);
  expect(tag.record.updateCount).toBe(5);
});

test('a restart of the tag empties the screen once', () => {
  const tag = tagWith({ shown: { token: 7, checksum: 70, picture: 700 } });
  expect(heard(tag, { wakeupReason: 252, lastseen: 1_040 }).hasBooted).toBe(true);
  expect(tag.shown).toEqual({ token: 0, checksum: undefined, picture: undefined });
  expect(heard(tag, { wakeupReason: 252, lastseen: 1_040 }).hasBooted).toBe(false);
});
