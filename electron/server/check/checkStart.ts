import { accessSync, constants, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { findAddress } from '../files/addressFile.ts';
import { usualPort, type StationConfig } from '../config.ts';
import { copyData, type DataCopy } from '../db/dataCopy.ts';
import { StationError } from '../errors.ts';
import { ANYWHERE, closeServer, listen } from '../http/port/server.ts';
import type { Log } from '../ports.ts';
import { weaknessOf } from '../services/access/index.ts';
import { createStation, VERSION, type StationPorts } from '../station.ts';
import { askCopy, type CopyAnswers } from './askCopy.ts';
import { quietPorts } from './quietPorts.ts';

const HERE = '127.0.0.1';

/** Result of a check. `says` contains sentences for the person who ran it. */
export type CheckedStart = { works: boolean; says: string };

/**
 * Starts a complete station on a copy of the data, on a free port of this machine, and reports whether the next start will succeed. Can run
 * while a station is running. Changes nothing, and sends nothing to other machines. `aborted` cancels the check.
 */
export async function checkStart(
  config: StationConfig,
  ports: StationPorts,
  pageFolder: string,
  aborted: AbortSignal,
): Promise<CheckedStart> {
  const dataFolder = resolve(config.dataFolder);
  let copy: DataCopy | undefined;
  try {
    refuseUnusable(dataFolder);
    refuseWeakKey(config);
    copy = existsSync(dataFolder) ? await copyData(dataFolder) : emptyCopy();
    if (aborted.aborted) throw new StationError('stopping', 'The check was ended.');
    const found = await tryStart({ config, ports, pageFolder, copy });
    const fault = copy.bytes > 0 ? copy.findFault() : undefined;
    if (fault !== undefined) {
      throw new StationError(
        'storage',
        `The database in ${dataFolder} is damaged (${fault}), although it opens. Restore a backup: start once with --restore FILE.`,
      );
    }
    const port = await portSentence(config, found, copy, dataFolder);
    return { works: true, says: successOf({ dataFolder, copy, found, port }) };
  } catch (error) {
    const message = error instanceof StationError ? error.message : faultOf(error);
    const why = copy === undefined ? message : message.replaceAll(copy.folder, dataFolder);
    return { works: false, says: `The next start will not work. ${why}` };
  } finally {
    copy?.remove();
  }
}

function faultOf(error: unknown): string {
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `The program has a fault with these data: stay with the version that you have, and report this:\n${trace}`;
}

/** Returns an empty folder, because without a data folder the next start creates a new station. */
function emptyCopy(): DataCopy {
  const folder = mkdtempSync(join(tmpdir(), 'pickstation-check-'));
  return {
    folder,
    bytes: 0,
    isRunning: false,
    findFault: () => undefined,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Throws if the data folder can be neither written to nor created. */
function refuseUnusable(dataFolder: string): void {
  const present = nearest(dataFolder);
  if (!statSync(present).isDirectory())
    throw new StationError('storage', `${present} is a file. Name a folder with --data.`);
  try {
    accessSync(present, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    const what = present === dataFolder ? 'be written' : `be made in ${present}`;
    throw new StationError(
      'storage',
      `The data folder ${dataFolder} cannot ${what} (${code}). Give this user write permission, or name another folder with --data.`,
    );
  }
}

function nearest(path: string): string {
  const parent = dirname(path);
  return existsSync(path) || parent === path ? path : nearest(parent);
}

/**
 * Throws `invalid` if the API key is too weak for a network address. The trial start cannot detect this, because it listens on this machine
 * only.
 */
function refuseWeakKey({ host, apiKey }: StationConfig): void {
  const weakness = weaknessOf(apiKey);
  if (host !== undefined && !isThisMachine(host) && weakness !== '') throw new StationError('invalid', weakness);
}

function isThisMachine(host: string): boolean {
  return /^(?:127\.[\d.]+|::1|localhost)$/i.test(host);
}

async function tryStart(parts: {
  config: StationConfig;
  ports: StationPorts;
  pageFolder: string;
  copy: DataCopy;
}): Promise<CopyAnswers> {
  const { config, ports, pageFolder, copy } = parts;
  const trial: StationConfig = {
    ...config,
    host: HERE,
    portNow: 0,
    turboPort: undefined,
    dataFolder: copy.folder,
    logFiles: false,
    firstRun: 'window',
  };
  const station = createStation(trial, quietPorts(ports, NO_LOG), pageFolder);
  try {
    const started = await station.start();
    return await askCopy(started);
  } finally {
    await station.stop();
  }
}

const NO_LOG: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** Returns a sentence about the port of the next start. Throws `conflict` if that port or the port for turbos is not free. */
async function portSentence(
  config: StationConfig,
  { settings }: CopyAnswers,
  { isRunning }: DataCopy,
  dataFolder: string,
): Promise<string> {
  const running = isRunning ? findAddress(dataFolder) : undefined;
  const host = config.host ?? (settings.listen === 'network' ? ANYWHERE : HERE);
  const wanted = config.port ?? settings.port ?? usualPort(config);
  for (const port of [wanted, config.turboPort ?? 0]) {
    // The address file does not name the turbo port, so assume that the running station uses it.
    const isOurs =
      isRunning && (running === undefined || port === config.turboPort || Number(new URL(running.url).port) === port);
    if (port !== 0 && !isOurs) await refuseTakenPort(host, port);
  }
  if (wanted === 0) return 'It takes a free port.';
  return running === undefined ? `Port ${wanted} is free.` : `The station runs now, at ${running.url}.`;
}

async function refuseTakenPort(host: string, port: number): Promise<void> {
  const listening = await listen(() => undefined, { host, port, key: undefined }, NO_LOG);
  await closeServer(listening);
}

function successOf(parts: { dataFolder: string; copy: DataCopy; found: CopyAnswers; port: string }): string {
  const { dataFolder, copy, found, port } = parts;
  const what =
    copy.bytes === 0
      ? `It begins a new station in ${dataFolder}.`
      : `Version ${VERSION} started on a copy of ${dataFolder} (${Math.ceil(copy.bytes / 2 ** 20)} MB, ${found.devices} devices), and all of it can be read.`;
  return `The next start will work. ${what} ${port}`;
}
