import type { Repositories } from '../../db/repositories.ts';
import type { Writer } from '../../db/writer.ts';
import type { Clock, Log, Timer, Turbos } from '../../ports.ts';
import type { Commands } from './commands.ts';

/** After a start the turbos come one by one: so long nobody counts as out of reach. */
const TURBOS_COME_MS = 10_000;
/** Looked at in one use-case: with more the loop would stand still when a turbo is lost. */
const MAX_LOOKED_AT = 500;

/** Which devices are reached, for the commands that are on their way to them. */
export type Reach = {
  /** Whether a turbo reaches this device, as far as can be said so early. */
  reaches(deviceId: string): boolean;
  /** Whether it is reached has changed: its first command is told of it. */
  changed(deviceId: string): void;
  start(commands: Pick<Commands, 'noteReach'>): void;
  stop(): void;
};

export function createReach(parts: {
  repositories: Pick<Repositories, 'commands'>;
  writer: Writer;
  turbos: Pick<Turbos, 'reaches'>;
  clock: Clock;
  log: Log;
}): Reach {
  const { repositories, writer, turbos, clock, log } = parts;
  const changed = new Set<string>();
  let commands: Pick<Commands, 'noteReach'> | undefined;
  let haveCome = false;
  let starting: Timer | undefined;
  let looking = false;
  let stopped = false;

  function lookSoon(): void {
    if (looking || stopped || changed.size === 0) return;
    looking = true;
    const now = [...changed].slice(0, MAX_LOOKED_AT);
    for (const deviceId of now) changed.delete(deviceId);
    writer
      .writeSoon((tx) => {
        for (const deviceId of now) {
          const isReached = turbos.reaches(deviceId);
          if (isReached || haveCome) commands?.noteReach(tx, deviceId, isReached);
        }
      })
      .catch((error: unknown) => log.warn({ err: error }, 'that devices are out of reach could not be recorded'))
      .finally(() => {
        looking = false;
        lookSoon();
      });
  }

  return {
    reaches: (deviceId) => !haveCome || turbos.reaches(deviceId),
    changed(deviceId) {
      changed.add(deviceId);
      lookSoon();
    },
    start(noting) {
      commands = noting;
      starting = clock.setTimer(TURBOS_COME_MS, () => {
        haveCome = true;
        for (const deviceId of repositories.commands.listUndelivered()) changed.add(deviceId);
        lookSoon();
      });
    },
    stop() {
      stopped = true;
      starting?.cancel();
    },
  };
}
