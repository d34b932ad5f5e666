import type { Alert, AlertKind, AlertQuery } from '#shared/api/alert.ts';
import { ALERT_SUBJECTS } from '#shared/lib/alerts/alertSubjects.ts';
import type { TablesOf } from '../../core.ts';
import type { AlertRow, NewAlert } from '../../db/repositories/alerts.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import { workOf } from '../../domain/commands/commandQueue.ts';
import { isoTime } from '../../domain/station/isoTime.ts';
import { StationError } from '../../errors.ts';
import { isoOrNull } from '../base/index.ts';
import type { Callbacks } from '../callbacks/index.ts';
import type { MailQueue } from '../mail/index.ts';

type AlertRecordsParts = {
  repositories: TablesOf<'alerts'>;
  reads: TablesOf<'alerts'>;
  writer: Pick<Writer, 'write'>;
  callbacks: Callbacks;
  mail: Pick<MailQueue, 'add'>;
};

/** State shared by the functions that store alerts. */
type AlertRecordsContext = AlertRecordsParts & {
  open: Map<AlertKind, Set<string>>;
};

/** Stores alerts. Raising or ending an alert also writes the history entry, the callback and the e-mail in the same commit. */
export function createAlertRecords(parts: AlertRecordsParts) {
  const { repositories, reads, writer, callbacks, mail } = parts;
  const context: AlertRecordsContext = {
    repositories,
    reads,
    writer,
    callbacks,
    mail,
    open: new Map<AlertKind, Set<string>>(),
  };
  for (const { kind, subject } of repositories.alerts.listOpen()) subjects(context, kind).add(subject);
  return {
    /** Whether an alert of this kind about the subject is open, ignoring uncommitted changes. */
    isOpen: (kind: AlertKind, subject: string): boolean => context.open.get(kind)?.has(subject) ?? false,
    /** Returns the subjects of open alerts of this kind, ignoring uncommitted changes. */
    listSubjects: (kind: AlertKind): string[] => [...subjects(context, kind)],
    /** Finds an open alert, including one that was raised earlier in the same transaction. Call inside a transaction. */
    findOpen: (kind: AlertKind, subject: string): AlertRow | undefined => repositories.alerts.findOpen(kind, subject),
    raise: (tx: Transaction, wanted: NewAlert) => raise(context, tx, wanted),
    end: (tx: Transaction, row: AlertRow) => end(context, tx, row),
    /** Changes the problem of an open alert. Sends no callback and no e-mail. */
    setProblem: (tx: Transaction, row: AlertRow, problem: string | null) => setProblem(context, tx, row, problem),
    /**
     * Raises the alert about this subject, or changes its problem if it is open. Ends it if `problem` is undefined. Changes nothing if nothing
     * is new.
     */
    settle: (tx: Transaction, about: Pick<NewAlert, 'kind' | 'subject'>, problem: string | undefined) =>
      settle(context, tx, about, problem),
    list: (alertQuery: AlertQuery) => list(context, alertQuery),
    get,
    acknowledge: (id: string, by: string) => acknowledge(context, id, by),
    acknowledgeAll: (by: string) => acknowledgeAll(context, by),
  };
}

export type AlertRecords = ReturnType<typeof createAlertRecords>;

function raise(context: AlertRecordsContext, tx: Transaction, wanted: NewAlert): void {
  const { repositories } = context;
  const row = repositories.alerts.insert(wanted);
  const alert = alertEntry(row);
  report(context, tx, alert, 'alert_raised');
  tx.emit({ type: 'alert.raised', alert });
  tx.afterCommit(() => subjects(context, row.kind).add(row.subject));
}

function end(context: AlertRecordsContext, tx: Transaction, row: AlertRow): void {
  const { repositories } = context;
  repositories.alerts.end(row.id, tx.now);
  const alert = alertEntry({ ...row, ended_at: tx.now });
  report(context, tx, alert, 'alert_ended');
  tx.emit({ type: 'alert.ended', alert });
  tx.afterCommit(() => subjects(context, row.kind).delete(row.subject));
}

function setProblem(
  { repositories }: AlertRecordsContext,
  tx: Transaction,
  row: AlertRow,
  problem: string | null,
): void {
  repositories.alerts.setProblem(row.id, problem);
  tx.emit({ type: 'alert.changed', alert: alertEntry({ ...row, problem }) });
}

function settle(
  context: AlertRecordsContext,
  tx: Transaction,
  { kind, subject }: Pick<NewAlert, 'kind' | 'subject'>,
  problem: string | undefined,
): void {
  const open = context.repositories.alerts.findOpen(kind, subject);
  if (problem === undefined) {
    if (open !== undefined) end(context, tx, open);
  } else if (open === undefined)
    raise(context, tx, { kind, subject, since: tx.now, value: null, threshold: null, problem });
  else if (open.problem !== problem) setProblem(context, tx, open, problem);
}

function list({ reads }: AlertRecordsContext, { state, after, limit }: AlertQuery): Alert[] {
  return reads.alerts
    .list({ isOpen: state === 'open', after: after === undefined ? undefined : Number(after), limit })
    .map(alertEntry);
}

/**
 * Acknowledges an alert. A later acknowledgement does not replace the first person's name. Throws `not_found`, or `conflict` if the alert
 * has ended.
 */
function acknowledge(context: AlertRecordsContext, id: string, by: string): Promise<Alert> {
  return context.writer.write((tx) => {
    const row = get(id, context.repositories);
    if (row.ended_at !== null) {
      throw new StationError('conflict', `Alert ${id} ended at ${isoTime(row.ended_at)}, so there is nothing to do.`);
    }
    return row.acknowledged_at === null ? see(context, tx, row, by) : alertEntry(row);
  });
}

/** Acknowledges all open alerts. Returns the number of alerts that were not acknowledged before. */
function acknowledgeAll(context: AlertRecordsContext, by: string): Promise<number> {
  return context.writer.write((tx) => {
    const unseen = context.repositories.alerts.listOpen().filter(({ acknowledged_at }) => acknowledged_at === null);
    for (const row of unseen) see(context, tx, row, by);
    return unseen.length;
  });
}

function subjects({ open }: AlertRecordsContext, kind: AlertKind): Set<string> {
  const known = open.get(kind) ?? new Set();
  open.set(kind, known);
  return known;
}

/** Returns an alert, read from the database connection `from`. Throws `not_found`. */
function get(id: string, from: TablesOf<'alerts'>): AlertRow {
  const row = /^\d{1,15}$/.test(id) ? from.alerts.find(Number(id)) : undefined;
  if (row === undefined) {
    throw new StationError('not_found', `There is no alert ${id}. GET /api/alerts/ lists those that are open.`);
  }
  return row;
}

/** Writes the alert's history entry, callback and e-mail. */
function report(
  { repositories, mail, callbacks }: AlertRecordsContext,
  tx: Transaction,
  alert: Alert,
  event: 'alert_raised' | 'alert_ended',
): void {
  const { id, kind, turbo, order_number, about, since, ended, value, threshold, problem } = alert;
  const deviceid = alert.deviceid ?? '';
  const location = repositories.devices.find(deviceid)?.label ?? '';
  const historyId = repositories.history.insert({
    at: tx.now,
    kind: event,
    deviceId: deviceid,
    commandId: null,
    nonce: '',
    location,
    qty: 0,
    work: order_number === null ? null : workOf({ kind: 'item', id: 0, of: order_number }),
    detail: { alert: { id, kind, turbo, about, value, threshold } },
  });
  mail.add(tx, {
    event: event === 'alert_raised' ? 'raised' : 'ended',
    id,
    kind,
    since,
    problem,
    name: [location, deviceid, turbo, order_number, about].find(Boolean) ?? '',
    at: tx.now,
  });
  callbacks.add(tx, {
    family: 'condition',
    historyId,
    at: tx.now,
    payload: {
      condition_event: event,
      kind,
      alert: id,
      deviceid,
      location,
      turbo: turbo ?? '',
      order_number: order_number ?? '',
      about: about ?? '',
      since,
      ended,
      value,
      threshold,
      problem,
    },
  });
}

function see({ repositories }: AlertRecordsContext, tx: Transaction, row: AlertRow, by: string): Alert {
  repositories.alerts.acknowledge(row.id, tx.now, by);
  const alert = alertEntry({ ...row, acknowledged_at: tx.now, acknowledged_by: by });
  tx.emit({ type: 'alert.changed', alert });
  return alert;
}

/** Kinds of subjects that responses name in `about`. */
const ABOUT: ReadonlySet<string> = new Set([
  'station',
  'receiver',
  'folder',
  'sheet',
  'secret',
  'setting',
  'task',
  'batch',
  'place',
]);

/**
 * Builds the subject of an alert about an order. Each reason has its own alert. The separator is a line break, which order numbers cannot
 * contain.
 */
export function orderAlertSubject(orderNumber: string, reason: string): string {
  return `${orderNumber}\n${reason}`;
}

export function alertEntry(row: AlertRow): Alert {
  const of = ALERT_SUBJECTS[row.kind];
  return {
    id: String(row.id),
    kind: row.kind,
    deviceid: of === 'device' ? row.subject : null,
    turbo: of === 'turbo' ? row.subject : null,
    order_number: of === 'order' ? (row.subject.split('\n')[0] ?? '') : null,
    about: ABOUT.has(of) ? row.subject : null,
    since: isoTime(row.since),
    value: row.value,
    threshold: row.threshold,
    problem: row.problem,
    acknowledged: isoOrNull(row.acknowledged_at),
    acknowledged_by: row.acknowledged_by,
    ended: isoOrNull(row.ended_at),
  };
}
