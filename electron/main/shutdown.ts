import { app, powerMonitor } from 'electron';

/** Contract, section 1: five seconds, of which Chromium takes some for itself. */
const STOP_WITHIN_MS = 4_500;

/** The way out, from whatever asks for it: the last that began is the first that ends. */
export type Shutdown = {
  readonly began: boolean;
  /** What must be done before the process is gone. */
  add(stop: () => void | Promise<void>): void;
  end(): void;
};

/** Hears everything that asks the program to end. Call it when the app is ready: Electron's own handlers come before. */
export function createShutdown(): Shutdown {
  const stops: (() => void | Promise<void>)[] = [];
  let began = false;
  let code = 0;

  async function run(): Promise<void> {
    const limit = setTimeout(() => app.exit(1), STOP_WITHIN_MS);
    limit.unref();
    try {
      while (stops.length > 0) await stops.pop()?.();
      app.exit(code);
    } catch (error) {
      process.stderr.write(`Stopping failed: ${String(error)}\n`);
      app.exit(1);
    }
  }

  function end(): void {
    if (began) return;
    began = true;
    void run();
  }

  app.on('before-quit', (event) => {
    event.preventDefault();
    end();
  });
  // Electron quits at the first signal and falls over at the second, which a launcher may well send.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, end);
  // After an error that nobody expected nothing is certain but what is on disk: as in the headless shell, that is the end.
  const fail = (error: unknown): void => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    code = 1;
    end();
  };
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
  // The system waits for who asks it to.
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
