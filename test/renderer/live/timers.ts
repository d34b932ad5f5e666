import type { TimePorts } from '../../../renderer/src/station/live/silence.ts';

/** A clock that moves only when it is advanced. */
export type Timers = { ports: TimePorts; advance(ms: number): void };

export function createTimers(): Timers {
  let now = 0;
  let waiting: { at: number; run: () => void }[] = [];
  return {
    ports: {
      now: () => now,
      setTimer(delayMs, run) {
        const timer = { at: now + delayMs, run };
        waiting.push(timer);
        return () => {
          waiting = waiting.filter((each) => each !== timer);
        };
      },
    },
    advance(ms) {
      const until = now + ms;
      for (;;) {
        const due = waiting.filter((timer) => timer.at <= until).toSorted((a, b) => a.at - b.at)[0];
        if (due === undefined) break;
        waiting = waiting.filter((timer) => timer !== due);
        now = due.at;
        due.run();
      }
      now = until;
    },
  };
}
