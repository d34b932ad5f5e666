import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
/** Memory limits with which `npm run serve` starts Node. */
const memory = JSON.parse(readFileSync(join(root, 'tools', 'node-runtime', 'memory.json'), 'utf8')) as object;

export type ServerProcess = {
  url: URL;
  /** Milliseconds from starting the process until it is ready. */
  readyMs: number;
  /** Returns the resident memory in bytes. */
  residentBytes(): number;
  /** Returns the processor time of all threads so far, in milliseconds. */
  cpuMs(): number;
  /** Returns the time that the main thread has waited for the processor, in milliseconds, or 0 if the system does not report it. */
  waitedMs(): number;
  stop(): Promise<void>;
};

export const API_KEY = 'bench-key-of-the-environment';
export const ADMIN_PASSWORD = 'bench-password';

/** Starts the headless station as a separate process, with the limits of `npm run serve`. */
export function startStation(folder: string, devices: number): Promise<ServerProcess> {
  return startServe(['--data', folder, '--simulate', String(devices)]);
}

/** Starts a station to which turbos can connect on this TCP port. `flags` are options of Node. */
export function startStationForTurbos(
  folder: string,
  turboPort: number,
  flags: readonly string[] = [],
): Promise<ServerProcess> {
  return startServe(['--data', folder, '--turbo-port', String(turboPort)], flags);
}

function startServe(args: readonly string[], flags: readonly string[] = []): Promise<ServerProcess> {
  const file = join(root, 'electron', 'headless', 'start.mjs');
  return start([...limitsOfServe(), ...flags, file, '--port', '0', ...args]);
}

/** Returns the memory options that the script `serve` passes to `node`. */
function limitsOfServe(): string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { serve: string } };
  return scripts.serve.split(' ').filter((word) => word.startsWith('--max-'));
}

/** Starts `bareLoop.ts`, the limit for the main loop. */
export function startBareLoop(folder: string, turboPort: number, receiver: string): Promise<ServerProcess> {
  return start([join(import.meta.dirname, 'bareLoop.ts'), folder, String(turboPort), receiver]);
}

/** Finds a free port. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export function startBareServer(folder: string): Promise<ServerProcess> {
  return start([join(import.meta.dirname, 'bareServer.ts'), folder]);
}

const running = new Set<ChildProcess>();
// Kill child processes after an error, too. Otherwise they keep the terminal waiting.
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

async function start(args: string[]): Promise<ServerProcess> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...memory, ...process.env, PICKSTATION_API_KEY: API_KEY, PICKSTATION_ADMIN_PASSWORD: ADMIN_PASSWORD },
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  const url = await readyUrl(child);
  return {
    url,
    readyMs: performance.now() - startedAt,
    residentBytes: () => residentBytes(child),
    cpuMs: () => cpuMs(child),
    waitedMs: () => waitedMs(child.pid),
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function readyUrl(child: ChildProcess): Promise<URL> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
      const found = /ready at (\S+)\n/.exec(text);
      if (found?.[1] !== undefined) resolve(new URL(found[1]));
    });
    child.once('exit', (code) => reject(new Error(`The process ended with ${code} before it was ready`)));
  });
}

/** Returns the resident memory of a process in bytes. */
export function residentBytes({ pid }: Pick<ChildProcess, 'pid'>): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) * 1_024;
}

/** Returns the processor time that a process has used so far, in milliseconds. Linux counts it in ticks of 10 ms. */
export function cpuMs({ pid }: Pick<ChildProcess, 'pid'>): number {
  const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const fields = rest.split(' ');
  return 10 * (Number(fields[11]) + Number(fields[12]));
}

/**
 * Returns the time that the main thread of a process has waited for the processor, in milliseconds: the second number in Linux's schedstat.
 * Returns 0 if it is not available.
 */
export function waitedMs(pid: number | undefined): number {
  const file = `/proc/${pid}/task/${pid}/schedstat`;
  if (!existsSync(file)) return 0;
  return Number(readFileSync(file, 'utf8').split(' ')[1]) / 1_000_000;
}

/** Names of file systems by magic number (statfs(2)). */
const FILE_SYSTEMS: Readonly<Record<number, string>> = {
  0xef53: 'ext4',
  0x58465342: 'xfs',
  0x9123683e: 'btrfs',
  0x794c7630: 'overlayfs',
  0x01021994: 'tmpfs',
  0x2fc12fc1: 'zfs',
  0xf2f52010: 'f2fs',
};

export type Workplace = { fileSystem: string; folder(): string; remove(): void };

/** Creates folders for databases on a disk, because a file system in memory would not measure durability. */
export function openWorkplace(): Workplace {
  const parent = process.env['BENCH_DIR'] ?? join(root, 'test-output');
  mkdirSync(parent, { recursive: true });
  const type = statfsSync(parent).type;
  const fileSystem = FILE_SYSTEMS[type] ?? `0x${type.toString(16)}`;
  if (fileSystem === 'tmpfs') throw new Error(`${parent} is in memory. Set BENCH_DIR to a folder on a disk.`);
  const base = mkdtempSync(join(parent, 'bench-'));
  return {
    fileSystem,
    folder: () => mkdtempSync(join(base, 'data-')),
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
}
