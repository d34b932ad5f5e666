import { app, powerMonitor } from 'electron';

/** Time limit for stopping the station. Section 1 of the contract allows five seconds, and Chromium needs some of them. */
const STOP_WITHIN_MS = 4_500;

/** Orderly shutdown, which calls the functions passed to `add` in reverse order. */
export type Shutdown = {
  readonly began: boolean;
  /** Adds a function that runs before the process ends. */
  add(stop: () => void | Promise<void>): void;
  /** Ends the program. `last` is called just before the process ends, when everything has stopped or timed out. */
  end(last?: () => void): void;
};

/** Handles all requests to end the program. Call when the app is ready, because Electron's own handlers must be registered first. */
export function createShutdown(): Shutdown {
  const stops: (() => void | Promise<void>)[] = [];
  let began = false;
  let code = 0;

  async function run(last: (() => void) | undefined): Promise<void> {
    let isOver = false;
    function over(status: number): void {
      if (isOver) return;
      isOver = true;
      try {
        last?.();
      } finally {
        app.exit(status);
      }
    }
    const limit = setTimeout(() => over(1), STOP_WITHIN_MS);
    limit.unref();
    try {
      while (stops.length > 0) await stops.pop()?.();
      clearTimeout(limit);
      over(code);
    } catch (error) {
      process.stderr.write(`Stopping failed: ${String(error)}\n`);
      over(1);
    }
  }

  function end(last?: () => void): void {
    if (began) return;
    began = true;
    void run(last);
  }

  app.on('before-quit', (event) => {
    event.preventDefault();
    end();
  });
  const stop = (): void => end();
  // Electron quits at the first signal, and crashes at the second, which some launchers send.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop);
  // After an unexpected error, only the data on disk are reliable, so quit, like the headless shell.
  const fail = (error: unknown): void => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    code = 1;
    end();
  };
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
  // The system waits for the shutdown if a listener prevents the default action.
  powerMonitor.on('shutdown', (...told: { preventDefault(): void }[]) => {
    told[0]?.preventDefault();
    end();
  });

  return {
    get began() {
      return began;
    },
    add: (stop) => void stops.push(stop),
    end,
  };
}
