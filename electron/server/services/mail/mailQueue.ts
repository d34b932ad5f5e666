import type { MailStatus } from '#shared/api/mail.ts';
import { shopDaysIn } from '#shared/lib/station/shopDay.ts';
import type { TablesOf } from '../../core.ts';
import { createAlarm } from '../../scheduling/alarm.ts';
import type { MailRow } from '../../db/repositories/mails.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import { alertMail, type AlertNotice } from '../../domain/alerts/alertMail.ts';
import { isoTime } from '../../domain/station/isoTime.ts';
import { mailRetryMs, mailWaitMs, sentOfHour } from '../../domain/alerts/mailSchedule.ts';
import type { Clock, Log } from '../../ports.ts';
import type { Bus } from '../base/index.ts';
import type { SettingsService } from '../settings/index.ts';
import { type MailAttempt, type MailSender, refusedOf } from './mailSender.ts';

/** Maximum number of waiting notices. If there are more, the oldest are dropped, because nobody reads a longer e-mail. */
const MAX_WAITING = 1_000;
/** Delay before retrying after a disk error. */
const STORAGE_RETRY_MS = 5_000;

type MailQueueParts = {
  repositories: TablesOf<'mail'>;
  reads: TablesOf<'mail'>;
  writer: Pick<Writer, 'write'>;
  settings: SettingsService;
  sender: MailSender;
  bus: Bus;
  clock: Clock;
  log: Log;
};

/** State shared by the functions that manage the mail queue. */
type MailQueueContext = MailQueueParts & {
  alarm: ReturnType<typeof createAlarm>;
  isRunning: boolean;
  attempt: MailAttempt | undefined;
  /**
   * Notices in the current or last failed attempt. A retry sends the same e-mail with the same id, because the server may have accepted it
   * although its answer did not arrive.
   */
  batch: MailRow[];
  failures: number;
  /** Earliest monotonic time of the next attempt. */
  notBefore: number;
  lastError: string | null;
  unsubscribe: (() => void) | undefined;
};

/**
 * Queues alerts to send by e-mail. A notice is written in the same transaction as its alert, sent once this transaction is on disk, and
 * kept until the mail server accepts the e-mail.
 */
export function createMailQueue(parts: MailQueueParts) {
  const { repositories, reads, writer, settings, sender, bus, clock, log } = parts;
  const context: MailQueueContext = {
    repositories,
    reads,
    writer,
    settings,
    sender,
    bus,
    clock,
    log,
    alarm: createAlarm(clock, () => look(context)),
    isRunning: false,
    attempt: undefined,
    batch: [],
    failures: 0,
    notBefore: 0,
    lastError: null,
    unsubscribe: undefined,
  };
  return {
    add: (tx: Transaction, notice: AlertNotice) => add(context, tx, notice),
    status: () => status(context),
    idle: (): boolean => context.attempt === undefined,
    start: () => start(context),
    stop: () => stop(context),
  };
}

export type MailQueue = ReturnType<typeof createMailQueue>;

/** Queues a notice if e-mail is set up and alerts of this kind are mailed. Call inside a transaction. */
function add(context: MailQueueContext, tx: Transaction, notice: AlertNotice): void {
  const { sender, settings, repositories } = context;
  if (!sender.isOn() || !settings.current().mail_kinds.includes(notice.kind)) return;
  const id = repositories.mails.insert(notice, tx.now);
  repositories.mails.removeUpTo(id - MAX_WAITING);
  tx.afterCommit(() => look(context));
}

function status(context: MailQueueContext): MailStatus {
  const { reads, sender } = context;
  const at = reads.mails.findSent().at(-1);
  return {
    on: sender.isOn(),
    waiting: reads.mails.count(),
    last_sent: at === undefined ? null : isoTime(at),
    last_error: sender.held() ?? context.lastError,
  };
}

function start(context: MailQueueContext): void {
  const { bus } = context;
  context.isRunning = true;
  context.unsubscribe = bus.subscribe({
    commit({ facts }) {
      if (facts.some(({ type }) => type === 'settings.changed')) reconsider(context);
    },
    clockChange: () => look(context),
  });
  look(context);
}

function stop(context: MailQueueContext): void {
  const { alarm } = context;
  context.isRunning = false;
  context.unsubscribe?.();
  alarm.stop();
  context.attempt?.giveUp();
}

/**
 * Sends the waiting notices. Does nothing if e-mail is off or on hold or an attempt is running; if it is too early, schedules the next
 * check.
 */
function look(context: MailQueueContext): void {
  const { sender, clock, reads, alarm } = context;
  if (!context.isRunning || context.attempt !== undefined || !sender.isOn() || sender.held() !== undefined) return;
  const waitMs = Math.max(context.notBefore - clock.monotonic(), mailWaitMs(reads.mails.findSent(), clock.now()));
  if (waitMs > 0) return alarm.in(waitMs);
  if (context.batch.length === 0) context.batch = readBatch(context);
  if (context.batch.length > 0) send(context);
}

/** Reads the waiting notices and removes damaged rows. No alert is lost, because this table contains only copies. */
function readBatch({ reads, log, writer, repositories }: MailQueueContext): MailRow[] {
  const waiting = reads.mails.list(MAX_WAITING);
  const damaged = waiting.flatMap(({ id, notice }) => (notice === undefined ? [id] : []));
  if (damaged.length > 0) {
    log.warn({ rows: damaged.length }, 'alerts that waited for an e-mail are damaged and will not be mailed');
    writer
      .write(() => damaged.forEach((id) => repositories.mails.remove(id)))
      .catch((error: unknown) => log.warn({ err: error }, 'could not remove damaged alerts from the waiting e-mails'));
  }
  return waiting.flatMap(({ notice, ...row }) => (notice === undefined ? [] : [{ ...row, notice }]));
}

function send(context: MailQueueContext): void {
  const { settings, sender } = context;
  const [first] = context.batch;
  const last = context.batch.at(-1);
  if (first === undefined || last === undefined) return;
  const [base = ''] = settings.current().public_urls;
  const link = base === '' ? '' : new URL('/alerts', base).href;
  const { subject, text } = alertMail(
    context.batch.map(({ notice }) => notice),
    link,
    shopDaysIn(settings.current().time_zone).zone,
  );
  const sending = sender.send({ id: `alerts-${first.id}-${last.id}-${first.createdAt}`, subject, text });
  context.attempt = sending;
  void sending.sent.then(({ answer, error }) => {
    // The station is stopping and has aborted the attempt, so keep the notices.
    if (!context.isRunning) return;
    if (answer !== undefined) return void sent(context, last.id, refusedOf(answer));
    context.attempt = undefined;
    failed(context, error ?? '');
  });
}

function failed(context: MailQueueContext, error: string): void {
  const { log, clock } = context;
  if (context.failures === 0) log.warn({ error }, 'could not send an e-mail about alerts; will retry later');
  context.failures += 1;
  context.lastError = error;
  context.notBefore = clock.monotonic() + mailRetryMs(context.failures);
  look(context);
}

/** Removes the notices that the server accepted. Retries until this is on disk, because the notices would otherwise be sent again. */
async function sent(context: MailQueueContext, upTo: number, refused: string | null): Promise<void> {
  const { clock, writer, repositories, log } = context;
  const at = clock.now();
  try {
    await writer.write(() => {
      repositories.mails.removeUpTo(upTo);
      repositories.mails.saveSent([...sentOfHour(repositories.mails.findSent(), at), at]);
    });
  } catch (error) {
    log.error({ err: error }, 'could not record that an e-mail was sent; will retry');
    clock.setTimer(STORAGE_RETRY_MS, () => void sent(context, upTo, refused));
    return;
  }
  context.attempt = undefined;
  context.batch = [];
  context.failures = 0;
  context.notBefore = 0;
  context.lastError = refused;
  look(context);
}

/** Retries immediately after the settings changed. Deletes the waiting notices if e-mail is now off. */
function reconsider(context: MailQueueContext): void {
  const { sender, reads, writer, repositories, log } = context;
  context.notBefore = 0;
  if (sender.isOn()) return look(context);
  context.lastError = null;
  context.batch = [];
  if (reads.mails.count() === 0) return;
  writer
    .write(() => repositories.mails.clear())
    .catch((error: unknown) => log.warn({ err: error }, 'could not delete the waiting e-mails'));
}
