import type { CallbackReceiver, ReceiverTrouble } from '#shared/api/callback.ts';
import { createAlarm } from '../../alarm.ts';
import type { SavedTrouble } from '../../db/repositories/outbox.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { Writer } from '../../db/writer.ts';
import { FAILING_AFTER_MS, type HealthEvent, nextHealth, type ReceiverHealth } from '../../domain/receiverHealth.ts';
import { isoTime } from '../../domain/isoTime.ts';
import type { Clock, Log } from '../../ports.ts';
import type { Bus } from '../base/index.ts';
import type { SettingsService } from '../settings/index.ts';

/** The setting without which there is no receiver. */
const URL_OF = { http: 'callback_url', mqtt: 'mqtt_url' } as const;

/** Whether a receiver takes callbacks, over restarts too. */
export function createReceiverWatch(parts: {
  which: CallbackReceiver;
  repositories: Pick<Repositories, 'outbox'>;
  reads: Pick<Repositories, 'outbox'>;
  writer: Pick<Writer, 'writeSoon'>;
  settings: SettingsService;
  bus: Bus;
  clock: Clock;
  log: Log;
  /** Call when the trouble begins, changes or ends. */
  changed: () => void;
}) {
  const { which, repositories, reads, writer, settings, bus, clock, log, changed } = parts;
  const owed = reads.outbox.of[which];
  let health = healthAtStart(owed.findTrouble());
  const alarm = createAlarm(clock, () => hear({ kind: 'elapsed' }));
  let unsubscribe: (() => void) | undefined;

  const address = (): string => settings.current()[URL_OF[which]];
  const isSet = (): boolean => address() !== '';

  function hear(event: HealthEvent): void {
    const before = health;
    health = nextHealth(health, event);
    if (health === before) return;
    changed();
    if (health.kind === before.kind) return;
    if (health.kind === 'doubtful') alarm.in(FAILING_AFTER_MS);
    else alarm.cancel();
    writer
      .writeSoon(() => repositories.outbox.of[which].saveTrouble(saved(health)))
      .catch((error: unknown) => log.warn({ err: error }, 'that the receiver fails, or no longer, was not saved'));
  }

  return {
    /** An attempt ended. `error`: null if the receiver took the callback. */
    heard({ error, status }: { error: string | null; status: number | null }): void {
      if (error === null) hear({ kind: 'taken' });
      else if (isSet()) hear({ kind: 'failed', at: clock.now(), status, error });
    },
    /** Null unless it is failing. */
    trouble(): ReceiverTrouble | null {
      if (health.kind !== 'failing') return null;
      const { since, status } = health;
      return { failing_since: isoTime(since), status, waiting: owed.countPending() };
    },
    isSet,
    /** Its host. */
    host: (): string => URL.parse(address())?.host ?? 'receiver',
    /** Why the last attempt failed, and since when, epoch milliseconds; undefined unless it is failing. */
    failure: (): { since: number; error: string } | undefined => (health.kind === 'failing' ? health : undefined),
    start(): void {
      const reconsider = (): void => {
        if (!isSet()) hear({ kind: 'unset' });
      };
      unsubscribe = bus.subscribe({
        commit({ facts }) {
          if (facts.some(({ type }) => type === 'settings.changed')) reconsider();
        },
      });
      reconsider();
      if (health.kind === 'doubtful') alarm.in(FAILING_AFTER_MS);
    },
    stop(): void {
      unsubscribe?.();
      alarm.stop();
    },
  };
}

export type ReceiverWatch = ReturnType<typeof createReceiverWatch>;

type Trouble = SavedTrouble | null;

function healthAtStart(trouble: Trouble): ReceiverHealth {
  if (trouble === null) return { kind: 'well' };
  const { isFailing, ...rest } = trouble;
  return { kind: isFailing ? 'failing' : 'doubtful', failures: 1, ...rest };
}

function saved(health: ReceiverHealth): Trouble {
  if (health.kind === 'well') return null;
  const { kind, since, status, error } = health;
  return { isFailing: kind === 'failing', since, status, error };
}
