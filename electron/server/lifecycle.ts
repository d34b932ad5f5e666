/** Start and stop hooks of a station. Stop hooks run in reverse order, also after a start that failed half-way. */
export type Lifecycle = {
  /** Runs in order of registration once everything is connected and requests can arrive. */
  onStart(begin: () => void): void;
  onStop(end: () => void | Promise<void>): void;
  start(): void;
  stop(): Promise<void>;
};

export function createLifecycle(): Lifecycle {
  const begins: (() => void)[] = [];
  const ends: (() => void | Promise<void>)[] = [];
  return {
    onStart: (begin) => void begins.push(begin),
    onStop: (end) => void ends.push(end),
    start() {
      for (const begin of begins.splice(0)) begin();
    },
    async stop() {
      while (ends.length > 0) await ends.pop()?.();
    },
  };
}
