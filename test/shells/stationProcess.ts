import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';

export const API_KEY = 'shells-key';
export const ADMIN_PASSWORD = 'shells-password';

const ROOT = join(import.meta.dirname, '..', '..');

/** A folder of this test's own, beside the program: temporary folders of the system are often in memory. */
export function folderOnDisk(name: string): string {
  const parent = join(ROOT, 'test-output');
  mkdirSync(parent, { recursive: true });
  return mkdtempSync(join(parent, `${name}-`));
}

export type StationProcess = {
  /** Its address, once it serves; rejects with what it said when it ends before. */
  ready: Promise<string>;
  /** Its exit code, or null where a signal ended it. */
  ended: Promise<number | null>;
  stdout(): string;
  stderr(): string;
  /** `kill -9`; resolves when it is gone. */
  kill(): Promise<void>;
  /** SIGTERM; answers its exit code. */
  stop(): Promise<number | null>;
};

/** The headless shell as a process of its own: real files, real sockets, the real clock. */
export function spawnStation(options: { dataFolder: string; simulate: number; port: number }): StationProcess {
  const { dataFolder, simulate, port } = options;
  const args = ['--port', String(port), '--data', dataFolder, '--simulate', String(simulate)];
  return watch([process.execPath, join(ROOT, 'electron', 'headless', 'main.ts'), ...args]);
}

/** Any command line that says `Pickstation ready at ...` on its standard output. */
export function watch([command, ...args]: [string, ...string[]]): StationProcess {
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { ...process.env, PICKSTATION_API_KEY: API_KEY, PICKSTATION_ADMIN_PASSWORD: ADMIN_PASSWORD },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const end = (): void => void child.kill('SIGKILL');
  process.once('exit', end);
  let stdout = '';
  let stderr = '';
  const ready = Promise.withResolvers<string>();
  const ended = Promise.withResolvers<number | null>();
  // Who kills a station before it is ready does not wait for it.
  ready.promise.catch(() => undefined);
  child.stdout.on('data', (text: Buffer) => {
    stdout += text.toString('utf8');
    const url = /Pickstation ready at (\S+)\n/.exec(stdout)?.[1];
    if (url !== undefined) ready.resolve(url);
  });
  child.stderr.on('data', (text: Buffer) => {
    stderr += text.toString('utf8');
  });
  child.once('error', (error) => {
    ready.reject(error);
    ended.resolve(null);
  });
  child.once('close', (code) => {
    process.off('exit', end);
    ready.reject(new Error(`The station ended (${code ?? 'by a signal'}) before it was ready: ${stderr}`));
    ended.resolve(code);
  });
  return {
    ready: ready.promise,
    ended: ended.promise,
    stdout: () => stdout,
    stderr: () => stderr,
    async kill() {
      child.kill('SIGKILL');
      await ended.promise;
    },
    async stop() {
      child.kill('SIGTERM');
      return ended.promise;
    },
  };
}
