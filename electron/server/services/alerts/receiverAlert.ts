import type { Writer } from '../../db/writer.ts';
import type { Clock, Log } from '../../ports.ts';
import { type Bus, createReconcileQueue } from '../base/index.ts';
import type { ReceiverWatch } from '../callbacks/index.ts';
import type { SettingsService } from '../settings/index.ts';
import type { AlertRecords } from './records.ts';

const KIND = 'receiver_failing';

/** The alert of a receiver that takes no callbacks. It ends with the first success. */
export function createReceiverAlert(parts: {
  receiver: Pick<ReceiverWatch, 'failure'>;
  records: AlertRecords;
  writer: Pick<Writer, 'writeEach'>;
  settings: SettingsService;
  bus: Bus;
  clock: Clock;
  log: Log;
}) {
  const { receiver, records, writer, settings, bus, clock, log } = parts;
  const queue = createReconcileQueue({
    clock,
    log,
    writer,
    reconcile(tx) {
      const failure = receiver.failure();
      const open = records.listSubjects(KIND).flatMap((subject) => records.findOpen(KIND, subject) ?? []);
      if (failure === undefined) return open.forEach((row) => records.end(tx, row));
      if (open.length > 0) return;
      const { since, error } = failure;
      const subject = URL.parse(settings.current().callback_url)?.host ?? 'receiver';
      const problem = `${error} Callbacks wait, and are sent once your system takes them.`;
      records.raise(tx, { kind: KIND, subject, since, value: null, threshold: null, problem });
    },
  });
  let unsubscribe: (() => void) | undefined;

  function look(): void {
    const isOpen = records.listSubjects(KIND).length > 0;
    if (isOpen !== (receiver.failure() !== undefined)) queue.add(KIND);
  }

  return {
    start(): void {
      unsubscribe = bus.subscribe({
        ephemera: (ephemera) => {
          if (ephemera.receiver !== undefined) look();
        },
      });
      look();
    },
    stop(): void {
      unsubscribe?.();
      queue.stop();
    },
  };
}
