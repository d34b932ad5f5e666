import type { ModelCommand, ModelDevice } from './state.ts';

/** Monotonic times of the station's starts, connections and inquiries at turbos. */
export type ModelTimes = {
  running: boolean;
  startedMono: number;
  /**
   * Times at which the station began to wait for held presses, after a start and after a connect. -Infinity if the presses have been
   * reported, or if no turbo is connected.
   */
  startDrainMono: number;
  linkDrainMono: number;
  /** Time at which the current chain of waits began. */
  chainMono: number;
  /** Time at which all devices had last reported what they show. */
  askedMono: number;
  /** Time at which the last session began. */
  welcomedMono: number;
  /** Time at which the wall clock last jumped. */
  jumpedMono: number;
  /** Wall clock minus monotonic clock. */
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

/** Time by which the station waits longer than the device (contract, section 4). */
const GRACE_MS = 2_000;
/** Time for which the station waits for held presses after a start or a reconnect (contract, section 4). */
const DRAIN_MS = 10_000;
const MAX_DRAINS_MS = 3 * DRAIN_MS;
/** Time after which a good link has reported everything. */
const GOOD_MS = 12_000;
/** Time that the station may take to notice a jump of the clock, because without work it commits only once a minute. */
const JUMP_FELT_MS = 150_000;
/** Tolerance for late reports and timers. */
const SLACK_MS = 1_500;
/** Maximum delay of a device's reports by latency. The station counts from the arrival of the reports. */
export const MAX_LATENCY_MS = 3_000;

/** Throws unless the station may end this command unanswered at this moment. */
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
  // The command is due by the wall clock, but the device has reported that it continues.
  if (isGood && nowMono < dueMono) {
    const leftMs = truth.token === command.id && times.askedMono > truth.sinceMono ? truth.endsMono - nowMono : 0;
    if (leftMs > 0) return refuse(`the device shows it for another ${leftMs} ms`);
    const { token, sinceMono, atMono } = truth.ended;
    const endedMs = token === command.id && times.askedMono > sinceMono ? nowMono - atMono : Infinity;
    if (endedMs < GRACE_MS) return refuse(`the device itself ended it ${endedMs} ms before, and is about to say so`);
  }
  if (!times.running) return refuse('the station was stopped');
  // At the moment of a connect, the station may already have checked for due commands.
  const isDraining = [times.startDrainMono, times.linkDrainMono].some(
    (since) => nowMono > since && nowMono < since + DRAIN_MS,
  );
  if (isDraining && nowMono < times.chainMono + MAX_DRAINS_MS) return refuse('held presses were not drained');
}

/**
 * Records a start or a new session, after which the station first waits for held presses. Repeated reconnects delay timeouts by three such
 * waits at most.
 */
export function beginDrain(times: ModelTimes, by: 'start' | 'link', nowMono: number): void {
  if (nowMono > Math.max(times.startDrainMono, times.linkDrainMono, times.jumpedMono) + 2 * DRAIN_MS)
    times.chainMono = nowMono;
  if (by === 'start') times.startDrainMono = nowMono;
  else times.linkDrainMono = times.welcomedMono = nowMono;
}

/** Throws if a device's first command should have ended by now. */
export function checkEnded(device: ModelDevice, times: ModelTimes, nowMono: number): void {
  const [command] = device.queue;
  if (!times.running || command === undefined || command.firstMono === null || command.seconds === 0) return;
  const since = Math.max(
    command.shownMono ?? command.firstMono,
    device.truth.token === command.id ? device.truth.sinceMono : 0,
  );
  const dueMono = since + command.seconds * 1_000 + GRACE_MS;
  // No command ends while turbos are being asked. If the station notices a jump while it checks for due commands, it
  // asks them once more.
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
