import type { ModelCommand, ModelDevice } from './state.ts';

/** What the station knows of its own life and of the link, on the clock that never jumps. */
export type ModelTimes = {
  running: boolean;
  startedMono: number;
  /** Since when held presses are waited for, after a start and after a connect; -Infinity: they were told, or nobody is there. */
  startDrainMono: number;
  linkDrainMono: number;
  /** Since when one drain has followed the other. */
  chainMono: number;
  /** When all devices were asked last, and had told what they show. */
  askedMono: number;
  /** The last session that began. */
  welcomedMono: number;
  /** The last jump of the wall clock. */
  jumpedMono: number;
  /** Wall clock less monotonic clock. */
  offsetMs: number;
};

export function newTimes(): ModelTimes {
  const never = -Infinity;
  const drains = { startDrainMono: never, linkDrainMono: never, chainMono: never };
  return {
    running: false,
    startedMono: 0,
    ...drains,
    askedMono: never,
    welcomedMono: never,
    jumpedMono: never,
    offsetMs: 0,
  };
}

/** The station waits this much longer than the device. Contract, section 4. */
const GRACE_MS = 2_000;
/** Held presses are waited for this long after a start or a reconnect. Contract, section 4. */
const DRAIN_MS = 10_000;
const MAX_DRAINS_MS = 3 * DRAIN_MS;
/** A link that was good for so long has told everything. */
const GOOD_MS = 12_000;
/** For so long after a jump it may not have been noticed: a station without work commits once a minute. */
const JUMP_FELT_MS = 150_000;
/** Reports and timers may come this much later than they could. */
const SLACK_MS = 1_500;
/** What a device tells of itself is as old when it arrives, and the station counts from then. */
export const MAX_LATENCY_MS = 3_000;

/** Whether the station itself might end this command unanswered at this moment. Throws where it might not. */
export function checkExpiry(
  device: ModelDevice,
  command: ModelCommand,
  wasShown: boolean,
  times: ModelTimes,
  nowMono: number,
): void {
  const refuse = (why: string): never => {
    throw new Error(`Command ${command.id} of ${device.id} was ended by the station at ${nowMono} ms: ${why}`);
  };
  if (device.queue[0] !== command || command.firstMono === null) return refuse('it was not the first of its queue');
  if (command.seconds === 0) return refuse('it never ends by itself');
  const since = (wasShown ? command.shownMono : null) ?? command.firstMono;
  const dueMono = since + command.seconds * 1_000 + GRACE_MS;
  if (nowMono < dueMono - command.forwardMs) return refuse(`it was not due before ${dueMono}`);
  const { truth } = device;
  const isGood = nowMono - device.goodSinceMono >= GOOD_MS;
  // The wall clock says that it is over, but the device was asked, and knows better.
  if (isGood && nowMono < dueMono) {
    const leftMs = truth.token === command.id && times.askedMono > truth.sinceMono ? truth.endsMono - nowMono : 0;
    if (leftMs > 0) return refuse(`the device shows it for another ${leftMs} ms`);
    const { token, sinceMono, atMono } = truth.ended;
    const endedMs = token === command.id && times.askedMono > sinceMono ? nowMono - atMono : Infinity;
    if (endedMs < GRACE_MS) return refuse(`the device itself ended it ${endedMs} ms before, and is about to say so`);
  }
  if (!times.running) return refuse('the station was stopped');
  // What was due at the very moment at which the turbo came may have been looked at before.
  const isDraining = [times.startDrainMono, times.linkDrainMono].some(
    (since) => nowMono > since && nowMono < since + DRAIN_MS,
  );
  if (isDraining && nowMono < times.chainMono + MAX_DRAINS_MS) return refuse('held presses were not drained');
}

/** A start or a new session: what is held comes first. Links that come and go put nothing off for longer than three drains. */
export function beginDrain(times: ModelTimes, by: 'start' | 'link', nowMono: number): void {
  if (nowMono > Math.max(times.startDrainMono, times.linkDrainMono, times.jumpedMono) + 2 * DRAIN_MS)
    times.chainMono = nowMono;
  if (by === 'start') times.startDrainMono = nowMono;
  else times.linkDrainMono = times.welcomedMono = nowMono;
}

/** Throws where the first command of a device should have ended by now. */
export function checkEnded(device: ModelDevice, times: ModelTimes, nowMono: number): void {
  const [command] = device.queue;
  if (!times.running || command === undefined || command.firstMono === null || command.seconds === 0) return;
  const since = Math.max(
    command.shownMono ?? command.firstMono,
    device.truth.token === command.id ? device.truth.sinceMono : 0,
  );
  const dueMono = since + command.seconds * 1_000 + GRACE_MS;
  // While turbos are asked nothing is ended; a jump that is noticed by the look at what is due asks them once more.
  const asking = Math.max(times.startedMono, times.welcomedMono) + MAX_DRAINS_MS;
  const again = nowMono - times.jumpedMono < JUMP_FELT_MS ? MAX_DRAINS_MS : 0;
  const late = nowMono - device.goodSinceMono >= GOOD_MS ? 0 : MAX_LATENCY_MS;
  const lastMono = Math.max(dueMono, asking) + again + late + SLACK_MS;
  if (nowMono > lastMono) {
    throw new Error(
      `Command ${command.id} of ${device.id} was due at ${dueMono} ms and has not ended at ${nowMono} ms`,
    );
  }
}
