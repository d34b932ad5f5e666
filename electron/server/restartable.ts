import type { StationConfig } from './config.ts';
import type { Clock, Log } from './ports.ts';
import type { Started, StationServer } from './stationPorts.ts';

/**
 * Delay between attempts to restart after a failure, in milliseconds. The first two attempts follow each other immediately, because after a
 * failed restore the second one uses the previous data. Later attempts wait, because another program may have taken the port.
 */
const AGAIN_AFTER_MS = 5_000;

/** Creates the inner station. `restart` stops it and creates it again. */
export type MakeInside = (config: StationConfig, restart: () => void) => StationServer;

/**
 * Creates a station whose inner part can be stopped and created again while the shell keeps running, on the same port and with the current
 * data folder. The result of `start` always refers to the current inner part.
 */
export function createRestartable(
  config: StationConfig,
  means: { clock: Clock; log: Log },
  make: MakeInside,
): StationServer {
  const { clock, log } = means;
  const stopping = Promise.withResolvers<void>();
  let isStopping = false;
  let inside = make(config, restart);
  let now: Started | undefined;
  let restarting: Promise<void> | undefined;

  function started(): Started {
    if (now === undefined) throw new Error('The station was not started.');
    return now;
  }

  function restart(): void {
    restarting ??= restartNow().finally(() => (restarting = undefined));
  }

  async function restartNow(): Promise<void> {
    const again: StationConfig = {
      ...config,
      portNow: portOf(started().url),
      turboPort: started().turboPort(),
      restore: undefined,
      acceptLoss: false,
      // It was set at the start. Somebody may have chosen another one since.
      adminPassword: undefined,
      // Do not print a password, because nobody would read it at this point.
      firstRun: 'window',
    };
    await inside.stop();
    for (let tries = 1; ; tries += 1) {
      if (isStopping) return;
      inside = make(again, restart);
      try {
        now = await inside.start();
        return;
      } catch (error) {
        log.error({ err: error }, 'the station could not be opened again: retrying until it can');
      }
      if (tries === 1) continue;
      const waited = Promise.withResolvers<void>();
      const timer = clock.setTimer(AGAIN_AFTER_MS, waited.resolve);
      await Promise.race([waited.promise, stopping.promise]);
      timer.cancel();
    }
  }

  return {
    async start() {
      now = await inside.start();
      return {
        get url() {
          return started().url;
        },
        addresses: () => started().addresses(),
        fingerprint: () => started().fingerprint(),
        turboPort: () => started().turboPort(),
        emptied: now.emptied,
        generatedPassword: now.generatedPassword,
        signIn: () => started().signIn(),
        keepPort: () => started().keepPort(),
        idle: () => restarting === undefined && started().idle(),
        delivered: () => started().delivered(),
        commits: () => started().commits(),
      };
    },
    async stop() {
      isStopping = true;
      stopping.resolve();
      await restarting?.catch(() => undefined);
      await inside.stop();
    },
  };
}

function portOf(url: string): number {
  const { port, protocol } = new URL(url);
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}
