import type { MailStatus } from '#shared/api/mail.ts';
import { createAlarm } from '../../alarm.ts';
import type { MailRow } from '../../db/repositories/mails.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import { alertMail, type AlertNotice } from '../../domain/alertMail.ts';
import { isoTime } from '../../domain/isoTime.ts';
import { mailRetryMs, mailWaitMs, sentOfHour } from '../../domain/mailSchedule.ts';
import type { Clock, Log } from '../../ports.ts';
import type { Bus } from '../base/index.ts';
import type { SettingsService } from '../settings/index.ts';
import { type MailAttempt, type MailSender, refusedOf } from './mailSender.ts';

/** Further ones push out the oldest: nobody reads a mail about them all. */
const MAX_WAITING = 1_000;
/** Wait after a disk error. */
const STORAGE_RETRY_MS = 5_000;

/** Alerts that leave by e-mail: written with the alert, sent once that is on disk, kept until the mail server took them. */
export function createMailQueue(parts: {
  repositories: Pick<Repositories, 'mails'>;
  reads: Pick<Repositories, 'mails'>;
  writer: Pick<Writer, 'write'>;
  settings: SettingsService;
  sender: MailSender;
  bus: Bus;
  clock: Clock;
  log: Log;
}) {
  const { repositories, reads, writer, settings, sender, bus, clock, log } = parts;
  const alarm = createAlarm(clock, look);
  let isRunning = false;
  let attempt: MailAttempt | undefined;
  /** What the last failed attempt told: the next one is the same e-mail, since the server may have taken it unheard. */
  let batch: MailRow[] = [];
  let failures = 0;
  /** Monotonic. */
  let notBefore = 0;
  let lastError: string | null = null;
  let unsubscribe: (() => void) | undefined;

  /** Sends what waits, if it may. */
  function look(): void {
    if (!isRunning || attempt !== undefined || !sender.isOn() || sender.held() !== undefined) return;
    const waitMs = Math.max(notBefore - clock.monotonic(), mailWaitMs(reads.mails.findSent(), clock.now()));
    if (waitMs > 0) return alarm.in(waitMs);
    if (batch.length === 0) batch = readBatch();
    if (batch.length > 0) send();
  }

  /** Removes damaged rows: their alerts are in the list of alerts. */
  function readBatch(): MailRow[] {
    const waiting = reads.mails.list(MAX_WAITING);
    const damaged = waiting.flatMap(({ id, notice }) => (notice === undefined ? [id] : []));
    if (damaged.length > 0) {
      log.warn({ rows: damaged.length }, 'alerts that waited for an e-mail are damaged and are not mailed');
      writer
        .write(() => damaged.forEach((id) => repositories.mails.remove(id)))
        .catch((error: unknown) => log.warn({ err: error }, 'damaged alerts were not removed from the e-mails'));
    }
    return waiting.flatMap(({ notice, ...row }) => (notice === undefined ? [] : [{ ...row, notice }]));
  }

  function send(): void {
    const [first] = batch;
    const last = batch.at(-1);
    if (first === undefined || last === undefined) return;
    const [base = ''] = settings.current().public_urls;
    const link = base === '' ? '' : new URL('/alerts', base).href;
    const { subject, text } = alertMail(
      batch.map(({ notice }) => notice),
      link,
    );
    const sending = sender.send({ id: `alerts-${first.id}-${last.id}-${first.createdAt}`, subject, text });
    attempt = sending;
    void sending.sent.then(({ answer, error }) => {
      // The stop ended the attempt, not the server: what it tells stays.
      if (!isRunning) return;
      if (answer !== undefined) return void sent(last.id, refusedOf(answer));
      attempt = undefined;
      failed(error ?? '');
    });
  }

  function failed(error: string): void {
    if (failures === 0) log.warn({ error }, 'an e-mail about alerts was not sent and is sent again later');
    failures += 1;
    lastError = error;
    notBefore = clock.monotonic() + mailRetryMs(failures);
    look();
  }

  /** The server took it: it must not be sent again, however often the disk fails. */
  async function sent(upTo: number, refused: string | null): Promise<void> {
    const at = clock.now();
    try {
      await writer.write(() => {
        repositories.mails.removeUpTo(upTo);
        repositories.mails.saveSent([...sentOfHour(repositories.mails.findSent(), at), at]);
      });
    } catch (error) {
      log.error({ err: error }, 'that an e-mail was sent could not be recorded and is tried again');
      clock.setTimer(STORAGE_RETRY_MS, () => void sent(upTo, refused));
      return;
    }
    attempt = undefined;
    batch = [];
    failures = 0;
    notBefore = 0;
    lastError = refused;
    look();
  }

  /** Settings changed: what was wrong may be right now. */
  function reconsider(): void {
    notBefore = 0;
    if (sender.isOn()) return look();
    lastError = null;
    batch = [];
    if (reads.mails.count() === 0) return;
    writer
      .write(() => repositories.mails.clear())
      .catch((error: unknown) => log.warn({ err: error }, 'the e-mails that waited were not deleted'));
  }

  return {
    /** Keeps it for an e-mail if its kind is mailed. Runs inside a use-case. */
    add(tx: Transaction, notice: AlertNotice): void {
      if (!sender.isOn() || !settings.current().mail_kinds.includes(notice.kind)) return;
      const id = repositories.mails.insert(notice, tx.now);
      repositories.mails.removeUpTo(id - MAX_WAITING);
      tx.afterCommit(look);
    },
    status(): MailStatus {
      const at = reads.mails.findSent().at(-1);
      return {
        on: sender.isOn(),
        waiting: reads.mails.count(),
        last_sent: at === undefined ? null : isoTime(at),
        last_error: sender.held() ?? lastError,
      };
    },
    idle: (): boolean => attempt === undefined,
    start(): void {
      isRunning = true;
      unsubscribe = bus.subscribe({
        commit({ facts }) {
          if (facts.some(({ type }) => type === 'settings.changed')) reconsider();
        },
        clockChange: look,
      });
      look();
    },
    stop(): void {
      isRunning = false;
      unsubscribe?.();
      alarm.stop();
      attempt?.giveUp();
    },
  };
}

export type MailQueue = ReturnType<typeof createMailQueue>;
