import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findAddress } from '../../server/files/addressFile.ts';
import { readConfig, type ServiceWish, type StationConfig } from '../../server/config.ts';
import { StationError } from '../../server/errors.ts';
import { apply, findInstalled, placeOf, removeInstalled } from './installed.ts';
import { launchdAgent } from './launchd.ts';
import { argumentsOf, type ServiceKind, type ServiceStart } from './plan.ts';
import type { Surroundings } from './surroundings.ts';
import { systemdService } from './systemd.ts';
import { scheduledTask } from './taskScheduler.ts';

/** Time limit for the first start, which may build the page. */
const READY_WITHIN_MS = 120_000;
const LOOK_EVERY_MS = 200;

/** Result of a service command: whether it succeeded, and what to print. */
export type ServiceAnswer = { isDone: boolean; says: string };

/**
 * Installs, removes or shows the service that starts this station when the machine starts, and restarts it after a crash. `root` is the
 * folder of the program. If the command fails, throws a StationError with the reason, and changes nothing.
 */
export async function serviceCommand(
  wish: ServiceWish,
  config: StationConfig,
  root: string,
  system: Surroundings,
): Promise<ServiceAnswer> {
  const kind = kindOf(config, root, system);
  if (wish === 'print') return { isDone: true, says: kind.text.trimEnd() };
  if (wish === 'status') return status(kind);
  if (wish === 'remove') return remove(kind);
  return install(kind, config);
}

function kindOf(config: StationConfig, root: string, system: Surroundings): ServiceKind {
  const tls = config.tls && { cert: resolve(config.tls.cert), key: resolve(config.tls.key) };
  const dataFolder = resolve(config.dataFolder);
  const program = [process.execPath, '--max-semi-space-size=16', join(root, 'electron', 'headless', 'start.mjs')];
  const command = [...program, ...argumentsOf({ ...config, tls })];
  const start: ServiceStart = { command, dataFolder, port: config.port, root };
  if (system.platform === 'darwin') return launchdAgent(start, system);
  if (system.platform === 'win32') return scheduledTask(start, system);
  const usual = readConfig(config.fleetOnly === true ? ['--fleet'] : [], {
    XDG_DATA_HOME: system.environment['XDG_DATA_HOME'],
  });
  return systemdService(start, system, usual !== 'help' && resolve(usual.dataFolder) === dataFolder);
}

async function install(kind: ServiceKind, config: StationConfig): Promise<ServiceAnswer> {
  const before = findInstalled(kind);
  if (before?.isOfData === false) {
    throw new StationError(
      'conflict',
      `There is a service for another data folder already (${placeOf(kind)}), and nothing was changed. Remove it first with --service remove; or print a second one with --service print, and install it by hand under another name.`,
    );
  }
  kind.refuse();
  const isRunning = before !== undefined && kind.isRunning();
  if (!isRunning) await refuseOther(kind, config);
  if (before?.text === kind.text && isRunning) {
    return {
      isDone: true,
      says: `The service is already installed and running. Nothing was changed.\n${factsOf(kind)}`,
    };
  }
  const done = apply(kind, before);
  const url = await ready(kind);
  const says = [
    before === undefined
      ? `The service is installed: ${kind.file}`
      : `The service was changed, and started again: ${kind.file}`,
    ...done,
    url === undefined ? 'It does not answer yet: see its state and what it prints.' : `It answers at ${url}`,
    ...secretsLeftOut(config),
    factsOf(kind),
  ];
  return { isDone: url !== undefined, says: says.join('\n') };
}

function remove(kind: ServiceKind): ServiceAnswer {
  const before = findInstalled(kind);
  if (before === undefined) {
    return { isDone: true, says: `No service is installed here (${placeOf(kind)}). Nothing was changed.` };
  }
  removeInstalled(kind);
  const where = before.isOfData ? `: ${kind.dataFolder}` : '.';
  return {
    isDone: true,
    says: `The service was stopped and removed: ${placeOf(kind)}\nThe data stay where they are${where}`,
  };
}

function status(kind: ServiceKind): ServiceAnswer {
  if (findInstalled(kind) === undefined)
    return { isDone: false, says: `No service is installed here (${placeOf(kind)}).` };
  const isRunning = kind.isRunning();
  const url = isRunning ? findAddress(kind.dataFolder)?.url : undefined;
  const state = isRunning
    ? `The service runs${url === undefined ? '' : `, at ${url}`}.`
    : 'The service is installed, and does not run.';
  return { isDone: isRunning, says: `${state}\n${factsOf(kind)}` };
}

function factsOf({ dataFolder, file, hints }: ServiceKind): string {
  return [`Data: ${dataFolder}`, `Unit: ${file}`, ...hints, 'Undo: npm run serve -- --service remove'].join('\n');
}

function secretsLeftOut({ adminPassword, apiKey, dataKey }: StationConfig): string[] {
  const left = [adminPassword, apiKey, dataKey].some((secret) => secret !== undefined);
  if (!left) return [];
  return [
    'Passwords and keys of the environment were not written into the service, whose file others may read: see below where they belong.',
  ];
}

/** Throws if another station uses the data folder, or another program uses the port. */
async function refuseOther({ dataFolder }: ServiceKind, { port }: StationConfig): Promise<void> {
  const url = findAddress(dataFolder)?.url;
  if (url !== undefined && (await answers(new URL(url).hostname, Number(new URL(url).port)))) {
    throw new StationError(
      'conflict',
      `A station runs on ${dataFolder}, at ${url}. Stop it, then install the service; nothing was changed.`,
    );
  }
  if (port === undefined || port === 0 || !(await answers('127.0.0.1', port))) return;
  throw new StationError(
    'conflict',
    `Port ${port} is taken by another program, perhaps by another service of Pickstation. Stop it, or choose another --port; nothing was changed.`,
  );
}

function answers(host: string, port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect({ host: host.replaceAll(/[[\]]/g, ''), port });
    const end = (is: boolean) => (): void => {
      socket.destroy();
      done(is);
    };
    socket.once('connect', end(true));
    socket.once('error', end(false));
  });
}

/** Waits until the station has an address, and returns it. Returns undefined if the station ends or does not respond in time. */
async function ready(kind: ServiceKind): Promise<string | undefined> {
  const giveUpAt = performance.now() + READY_WITHIN_MS;
  while (performance.now() < giveUpAt && kind.isRunning()) {
    const url = findAddress(kind.dataFolder)?.url;
    if (url !== undefined && (await answers(new URL(url).hostname, Number(new URL(url).port)))) return url;
    await pause(LOOK_EVERY_MS);
  }
  return undefined;
}
