import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

const PROGRAM = join(import.meta.dirname, '..', '..', 'docs', 'examples', 'tryton.mjs');

export type Connector = {
  start(): void;
  /** Sends SIGKILL. Resolves when the process has ended. */
  kill(): Promise<void>;
  /** Suspends the process until `resume`. */
  pause(): void;
  resume(): void;
  /** Returns everything that the connector has printed so far, including what it printed before kills. */
  printed(): string;
};

/** Creates the documented connector, which runs as a separate process. */
export function createConnector(env: Record<string, string>): Connector {
  let child: ChildProcess | undefined;
  let printed = '';
  return {
    start() {
      const options = { env: { PATH: process.env['PATH'], POLL_SECONDS: '0.2', ...env } };
      const started = spawn(process.execPath, [PROGRAM], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
      child = started;
      const end = (): void => void started.kill('SIGKILL');
      process.once('exit', end);
      started.once('close', () => process.off('exit', end));
      for (const stream of [started.stdout, started.stderr]) {
        stream.setEncoding('utf8').on('data', (text: string) => (printed += text));
      }
    },
    kill: () =>
      new Promise((resolve) => {
        if (child === undefined || child.exitCode !== null || child.signalCode !== null) return resolve();
        child.once('close', () => resolve());
        child.kill('SIGKILL');
      }),
    pause: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    printed: () => printed,
  };
}
