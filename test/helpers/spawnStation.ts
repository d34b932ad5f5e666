import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');
/**
 * The headless station, bundled by buildStation.ts. It starts in two thirds of the processor time that the unbundled sources take. Like its
 * source, it is two folders below the root, because it locates its resources from there.
 */
export const STATION_PROGRAM = join(ROOT, 'test-output', 'station', 'main.js');

/** Shares Node's compile cache with the station, which makes a process start three times as fast. */
export const COMPILED = { NODE_COMPILE_CACHE: join(ROOT, 'dist', 'compile-cache') };

export type Exit = { code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string };

export type SpawnedStation = {
  process: ChildProcess;
  /** Resolves to the address in the ready line, or to undefined if the process ends first. */
  ready(): Promise<string | undefined>;
  /** Resolves when the process has ended. */
  exit(): Promise<Exit>;
  stdout(): string;
  stderr(): string;
};

/** Starts the headless station as a separate process with only PATH and this environment. */
export function spawnStation(args: readonly string[], environment: Record<string, string> = {}): SpawnedStation {
  return watchStation([process.execPath, STATION_PROGRAM, ...args], {
    PATH: process.env['PATH'],
    HOME: '/nonexistent',
    ...COMPILED,
    ...environment,
  });
}

/** Starts any command that prints `Pickstation ready at ...`. When this process ends, the command ends too. */
export function watchStation([command, ...args]: [string, ...string[]], env: NodeJS.ProcessEnv): SpawnedStation {
  const child = spawn(command, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const end = (): void => void child.kill('SIGKILL');
  process.once('exit', end);
  let stdout = '';
  let stderr = '';
  let resolveReady: (url: string | undefined) => void = () => undefined;
  const ready = new Promise<string | undefined>((resolve) => {
    resolveReady = resolve;
  });
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    const url = /^Pickstation ready at (\S+)\n/m.exec(stdout)?.[1];
    if (url !== undefined) resolveReady(url);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const exit = new Promise<Exit>((resolve) => {
    const tell = (code: number | null, signal: NodeJS.Signals | null): void => {
      process.off('exit', end);
      resolveReady(undefined);
      resolve({ code, signal, stdout, stderr });
    };
    child.once('close', tell);
    child.once('error', (error) => {
      stderr += error.message;
      tell(null, null);
    });
  });
  return { process: child, ready: () => ready, exit: () => exit, stdout: () => stdout, stderr: () => stderr };
}
