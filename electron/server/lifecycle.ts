/** Creates the start and stop hooks of a station. Stop hooks run in reverse order, even after a start that failed halfway. */
export function createLifecycle() {
  const begins: (() => void)[] = [];
  const ends: (() => void | Promise<void>)[] = [];
  return {
    /** Registers `begin`, which is called once everything is connected and requests can arrive, in the order of registration. */
    onStart: (begin: () => void): void => void begins.push(begin),
    onStop: (end: () => void | Promise<void>): void => void ends.push(end),
    start(): void {
      for (const begin of begins.splice(0)) begin();
    },
    async stop(): Promise<void> {
      while (ends.length > 0) await ends.pop()?.();
    },
  };
}

export type Lifecycle = ReturnType<typeof createLifecycle>;
