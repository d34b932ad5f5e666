import type { TimelineStep } from '#shared/api/history.ts';
import type { Outage } from '../devices/outage.ts';

/** What the station recorded about one command. Times are epoch milliseconds; null or undefined if unknown. */
export type CommandRecord = {
  sender: string;
  createdAt: number | null;
  firstAt: number | null;
  sentAt: number | null;
  shownAt: number | null;
  outage: Outage | null;
  adjusted: { at: number; by: string; quantity: number } | undefined;
  ended: EndRecord | undefined;
  /** Presses after the command ended. */
  late: readonly { at: number; committedAt: number | null; presses: number; lastAt: number | null }[];
  deliveries: readonly DeliveryRecord[];
};

export type EndRecord = {
  kind: 'acknowledged' | 'timedOut' | 'killed' | 'replaced';
  at: number;
  /** Empty if unknown. */
  by: string;
  qty: number;
  reason: string;
  replacedBy: string | null;
  committedAt: number | null;
};

export type DeliveryRecord = {
  /** `http`, `mqtt` or the id of an additional receiver. `receiverName` is null if that receiver was deleted. */
  receiver: string;
  receiverName: string | null;
  acknack: string;
  state: 'pending' | 'delivered' | 'dead';
  attempts: number;
  lastAt: number | null;
  lastStatus: number | null;
  lastError: string | null;
};

const DEVICE = 'device';

/** Returns the known steps of a command, from the request to the delivery of its callbacks. */
export function stepsOf(life: CommandRecord): TimelineStep[] {
  const steps: TimelineStep[] = [];
  const add = (kind: TimelineStep['kind'], at: number | null, by: string, detail: string) => {
    if (at === null) return;
    const step: TimelineStep = { at: new Date(at).toISOString(), kind };
    if (by !== '') step.by = by;
    if (detail !== '') step.detail = detail;
    steps.push(step);
  };

  add('requested', life.createdAt, life.sender, '');
  // If the clock was set back in between, `firstAt` may be before `createdAt`.
  const hasWaited = life.firstAt !== null && life.createdAt !== null && life.firstAt > life.createdAt;
  if (hasWaited || (life.firstAt === null && life.ended === undefined)) {
    add('queued', life.createdAt, '', 'Behind other work of this device.');
  }
  add('first', life.firstAt, '', '');
  // Whether the command was sent before the outage, if there was one.
  const wasSentBefore = life.outage === null || (life.sentAt !== null && life.sentAt <= life.outage.since);
  if (wasSentBefore) add('sent', life.sentAt, '', '');
  if (life.outage !== null) {
    add('unreachable', life.outage.since, '', '');
    add('reached', life.outage.until, '', '');
  }
  if (!wasSentBefore) add('sent', life.sentAt, '', '');
  add('shown', life.shownAt, DEVICE, '');
  if (life.adjusted !== undefined)
    add('adjusted', life.adjusted.at, life.adjusted.by, `${life.adjusted.quantity} now.`);
  const { ended } = life;
  if (ended !== undefined) addEnd(ended, add);
  const before = steps.length;
  for (const { at, committedAt, presses, lastAt } of life.late) {
    const words =
      presses === 1
        ? 'The command had already ended, so the press acknowledged nothing.'
        : `The command had already ended, so its ${presses} presses acknowledged nothing.`;
    add('pressed', at, DEVICE, `${delayOf(at, committedAt)}${words}${lastWords(presses, lastAt)}`);
  }
  const after = [...steps.splice(before), ...deliverySteps(life.deliveries)];
  return [...steps, ...inTime(after)];
}

/** Returns one step per attempted delivery, for its last attempt. */
export function deliverySteps(deliveries: readonly DeliveryRecord[]): TimelineStep[] {
  return deliveries.flatMap((delivery): TimelineStep[] => {
    const { state, lastAt } = delivery;
    if (lastAt === null) return [];
    const kind = state === 'delivered' ? 'delivered' : 'failed';
    return [{ at: new Date(lastAt).toISOString(), kind, detail: outcome(delivery) }];
  });
}

/** Sorts steps by time, oldest first; steps with equal times keep their order. */
export function inTime<T extends { at: string }>(steps: readonly T[]): T[] {
  return steps.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

type Add = (kind: TimelineStep['kind'], at: number | null, by: string, detail: string) => void;

function addEnd(ended: EndRecord, add: Add): void {
  switch (ended.kind) {
    case 'acknowledged':
      if (ended.by === DEVICE) add('pressed', ended.at, DEVICE, delayOf(ended.at, ended.committedAt).trimEnd());
      add('acknowledged', ended.at, ended.by, `${ended.qty} counted.${ended.reason === '' ? '' : ` ${ended.reason}`}`);
      break;
    case 'timedOut':
      add('timed_out', ended.at, ended.by, '');
      break;
    case 'killed':
      add('killed', ended.at, ended.by, '');
      break;
    case 'replaced':
      add('replaced', ended.at, ended.by, ended.replacedBy === null ? '' : `By command ${ended.replacedBy}.`);
      break;
  }
  add('committed', ended.committedAt, '', '');
}

function lastWords(presses: number, lastAt: number | null): string {
  return presses === 1 || lastAt === null ? '' : ` The last one was at ${new Date(lastAt).toISOString()}.`;
}

/** Describes how much later than the press the station received it; empty if less than 1 s or unknown. */
function delayOf(at: number, committedAt: number | null): string {
  if (committedAt === null || committedAt - at < 1_000) return '';
  return `The station received it ${((committedAt - at) / 1_000).toFixed(1)} s later.`;
}

function outcome({ receiver, receiverName, acknack, state, attempts, lastStatus, lastError }: DeliveryRecord): string {
  const isMqtt = receiver === 'mqtt';
  const taken = lastStatus === null ? '' : `The receiver answered ${lastStatus}.`;
  const answer = lastError ?? (isMqtt ? 'The broker acknowledged it.' : taken);
  const count = attempts < 2 ? '' : ` Attempt ${attempts}.`;
  const rest = state === 'dead' ? ' No further attempts.' : '';
  const further = receiver === 'http' ? '' : ` to ${receiverName ?? 'a deleted receiver'}`;
  return `${acknack}${isMqtt ? ' over MQTT' : further}: ${answer}${count}${rest}`.trim();
}
