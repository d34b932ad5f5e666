import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { COMPILED, STATION_PROGRAM, watchStation } from '../helpers/spawnStation.ts';

export const API_KEY = 'shells-key-of-the-environment';
export const ADMIN_PASSWORD = 'shells-password';

const ROOT = join(import.meta.dirname, '..', '..');

/** Creates a folder on a real disk, because the system's temporary folders are often in memory. */
export function folderOnDisk(name: string): string {
  const parent = join(ROOT, 'test-output');
  mkdirSync(parent, { recursive: true });
  return mkdtempSync(join(parent, `${name}-`));
}

export type StationProcess = {
  /** Resolves to the address once the station serves. Rejects with the output if the station ends first. */
  ready: Promise<string>;
  /** Resolves to the exit code, or null after a signal. */
  ended: Promise<number | null>;
  stdout(): string;
  stderr(): string;
  /** Sends SIGKILL. Resolves when the process has ended. */
  kill(): Promise<void>;
  /** Sends SIGTERM. Resolves to the exit code. */
  stop(): Promise<number | null>;
};

/** Starts the headless shell as a separate process with real files, real sockets and the real clock. */
export function spawnStation(options: { dataFolder: string; simulate: number; port: number }): StationProcess {
  const { dataFolder, simulate, port } = options;
  const args = ['--port', String(port), '--data', dataFolder, '--simulate', String(simulate)];
  return watch([process.execPath, STATION_PROGRAM, ...args]);
}

/** Runs any command that prints `Pickstation ready at ...`. */
export function watch(command: [string, ...string[]]): StationProcess {
  const station = watchStation(command, {
    ...process.env,
    ...COMPILED,
    PICKSTATION_API_KEY: API_KEY,
    PICKSTATION_ADMIN_PASSWORD: ADMIN_PASSWORD,
  });
  const ended = station.exit().then(({ code }) => code);
  const ready = station.ready().then(async (url) => {
    if (url !== undefined) return url;
    throw new Error(`The station ended (${(await ended) ?? 'by a signal'}) before it was ready: ${station.stderr()}`);
  });
  // Avoids an unhandled rejection if the test kills the station before it is ready.
  ready.catch(() => undefined);
  const end = (signal: NodeJS.Signals) => {
    station.process.kill(signal);
    return ended;
  };
  return {
    ready,
    ended,
    stdout: station.stdout,
    stderr: station.stderr,
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
  };
}
