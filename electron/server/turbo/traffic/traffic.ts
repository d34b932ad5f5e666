import type { Clock, TurboTraffic } from '../../ports.ts';
import { FrameLog } from './frameLog.ts';
import type { Tap } from '../frames/protocol/exchange.ts';

/** Maximum number of errors to keep. */
const MAX_ERRORS = 20;
/** Weight of a new round trip in the running mean. */
const NEW_PART = 1 / 8;

/** Traffic between the station and one turbo, over all its connections since its first contact. */
export type Traffic = Tap & {
  readonly frames: FrameLog;
  /** Records an error message for the user. */
  failed(problem: string): void;
  counts(): TurboTraffic;
  /** Adds the traffic of a connection whose turbo is now identified. */
  adopt(other: Traffic): void;
};

export function createTraffic(clock: Pick<Clock, 'now'>): Traffic {
  const frames = new FrameLog();
  const sum = {
    framesIn: 0,
    framesOut: 0,
    bytesIn: 0,
    bytesOut: 0,
    repeatedIn: 0,
    repeatedOut: 0,
    brokenFrames: 0,
  };
  let since = clock.now();
  let roundTripMs: number | undefined;
  let errors: TurboTraffic['errors'] = [];

  return {
    frames,
    arrived(byteCount) {
      sum.bytesIn += byteCount;
    },
    frame(direction, bytes, repeated) {
      frames.add(clock.now(), direction, bytes, repeated);
      if (direction === 'in') {
        sum.framesIn++;
        if (repeated) sum.repeatedIn++;
        return;
      }
      sum.framesOut++;
      sum.bytesOut += bytes.length;
      if (repeated) sum.repeatedOut++;
    },
    broken() {
      sum.brokenFrames++;
    },
    answered(ms) {
      roundTripMs = roundTripMs === undefined ? ms : roundTripMs + (ms - roundTripMs) * NEW_PART;
    },
    failed(problem) {
      errors = [{ at: clock.now(), problem }, ...errors].slice(0, MAX_ERRORS);
    },
    counts: () => ({ since, ...sum, roundTripMs, errors }),
    adopt(other) {
      const counts = other.counts();
      for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += counts[name];
      since = Math.min(since, counts.since);
      roundTripMs = counts.roundTripMs ?? roundTripMs;
      errors = [...counts.errors, ...errors].slice(0, MAX_ERRORS);
      frames.adopt(other.frames);
    },
  };
}
