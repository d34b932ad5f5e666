import type { TablesOf } from '../../core.ts';
import type { Writer } from '../../db/writer.ts';
import type { Clock, Log, Timer, Turbos } from '../../ports.ts';
import type { Commands } from './commands.ts';

/** How long turbos may take to connect after the station starts. Until then, every device counts as reachable. */
const TURBOS_COME_MS = 10_000;
/** Maximum number of devices per transaction, which limits how long the loss of a turbo blocks the event loop. */
const MAX_LOOKED_AT = 500;

/** Tracks which devices are reachable, to record outages of the first command in each queue. */
export function createReach(parts: {
  repositories: TablesOf<'commands'>;
  writer: Writer;
  turbos: Pick<Turbos, 'reaches'>;
  clock: Clock;
  log: Log;
}) {
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
      .catch((error: unknown) => log.warn({ err: error }, 'could not record that devices are out of reach'))
      .finally(() => {
        looking = false;
        lookSoon();
      });
  }

  return {
    /** Whether a turbo reaches this device. Always true while turbos are connecting after startup. */
    reaches: (deviceId: string): boolean => !haveCome || turbos.reaches(deviceId),
    /** Updates the first command of a device that became reachable or unreachable. */
    changed(deviceId: string): void {
      changed.add(deviceId);
      lookSoon();
    },
    start(noting: Pick<Commands, 'noteReach'>): void {
      commands = noting;
      starting = clock.setTimer(TURBOS_COME_MS, () => {
        haveCome = true;
        for (const deviceId of repositories.commands.listUndelivered()) changed.add(deviceId);
        lookSoon();
      });
    },
    stop(): void {
      stopped = true;
      starting?.cancel();
    },
  };
}

export type Reach = ReturnType<typeof createReach>;
