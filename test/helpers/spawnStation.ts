import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

const MAIN = join(import.meta.dirname, '..', '..', 'electron', 'headless', 'main.ts');

export type Exit = { code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string };

export type SpawnedStation = {
  process: ChildProcess;
  /** The address of the ready line; undefined when the process ended before it. */
  ready(): Promise<string | undefined>;
  /** Resolves when the process has ended. */
  exit(): Promise<Exit>;
  stdout(): string;
  stderr(): string;
};

/** The headless station as a process of its own, as it is started by hand: nothing of this environment but the path. */
export function spawnStation(args: readonly string[], environment: Record<string, string> = {}): SpawnedStation {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { PATH: process.env['PATH'], HOME: '/nonexistent', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  let tellReady: (url: string | undefined) => void = () => undefined;
  const ready = new Promise<string | undefined>((resolve) => {
    tellReady = resolve;
  });
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    const url = /^Pickstation ready at (\S+)$/m.exec(stdout)?.[1];
    if (url !== undefined) tellReady(url);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const exit = new Promise<Exit>((resolve) => {
    child.once('close', (code, signal) => {
      tellReady(undefined);
      resolve({ code, signal, stdout, stderr });
    });
  });
  return { process: child, ready: () => ready, exit: () => exit, stdout: () => stdout, stderr: () => stderr };
}
