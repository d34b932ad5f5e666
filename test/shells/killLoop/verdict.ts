import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'vitest';
import type { Received } from '../../helpers/servers/receiver.ts';
import type { KillLedger } from './ledger.ts';

export const DATABASE = 'pickstation.sqlite';

/**
 * Time after the device's own end of a command at which the station ends it. After a start, the station first waits ASKING_MS for the
 * devices.
 */
const GRACE_MS = 2_000;
const ASKING_MS = 10_000;
/** Additional time for a busy machine. */
const PROMPT_MS = 30_000;
/** Tolerance for the time of a reported event, which is computed back from its commit, slightly later than the report. */
const COMMIT_MS = 500;

/** A callback delivery on disk. `id` is the number in the webhook id. */
type Delivery = { id: number; receiver: number; payload: string; state: string };

/** Receiver ids in the database: the callback URL and an additional receiver. */
export const RECEIVERS = [0, 2] as const;

/** Checks the data that a crash left, on a copy, so that the station's files stay unchanged. */
export function judgeCrash(dataFolder: string, ledger: KillLedger, received: readonly Received[]): void {
  if (!existsSync(join(dataFolder, DATABASE))) {
    expect(ledger.answered.size + ledger.told.size + received.length, 'promises without a database').toBe(0);
    return;
  }
  const copy = `${dataFolder}-copy`;
  mkdirSync(copy);
  for (const name of [DATABASE, `${DATABASE}-wal`]) {
    if (existsSync(join(dataFolder, name))) cpSync(join(dataFolder, name), join(copy, name));
  }
  const db = new Database(join(copy, DATABASE));
  try {
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(db.pragma('foreign_key_check')).toEqual([]);
    if (Number(db.pragma('user_version', { simple: true })) === 0) return;
    judgeAnswers(db, ledger);
    judgeRevisions(db, ledger);
    judgeReceived(db, received);
    judgeOutbox(db);
  } finally {
    db.close();
    rmSync(copy, { recursive: true });
  }
}

/**
 * Checks the final state once everything has ended and been delivered. `taken` contains the callbacks that each receiver answered with 200,
 * and `servesSince` is the time at which the last start was complete.
 */
export function judgeEnd(
  db: Database.Database,
  ledger: KillLedger,
  seen: { received: readonly Received[]; taken: ReadonlyMap<number, ReadonlySet<number>>; servesSince: number },
): void {
  const { received, taken, servesSince } = seen;
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
  judgeAnswers(db, ledger);
  judgeRevisions(db, ledger);
  judgeReceived(db, received);
  judgeOutbox(db);
  for (const delivery of deliveries(db)) {
    const name = `delivery ${delivery.id} to ${delivery.receiver}`;
    expect(delivery.state, name).toBe('delivered');
    expect(taken.get(delivery.receiver)?.has(delivery.id), `${name} was taken by its receiver`).toBe(true);
  }
  judgeNonces(received);
  judgeDeadlines(db, ledger, servesSince);
}

function judgeAnswers(db: Database.Database, ledger: KillLedger): void {
  const known = new Set(
    db.prepare<[], string>('SELECT nonce FROM commands UNION SELECT nonce FROM history').pluck().all(),
  );
  expect(
    [...ledger.answered].filter((nonce) => !known.has(nonce)),
    'answered with 200 and lost',
  ).toEqual([]);
}

function judgeRevisions(db: Database.Database, ledger: KillLedger): void {
  const facts = db.prepare<[number], string>('SELECT facts FROM commits WHERE revision = ?').pluck();
  const broken = [...ledger.told].filter(([revision, text]) => facts.get(revision) !== text);
  expect(broken, 'revisions that were told otherwise').toEqual([]);
  // Each start skips numbers, so only the disk shows which revisions are missing.
  const [oldest = 0] = ledger.told.keys();
  const kept = db
    .prepare<[number, number], number>('SELECT revision FROM commits WHERE revision BETWEEN ? AND ?')
    .pluck();
  const missed = kept.all(oldest, ledger.newestRevision).filter((revision) => !ledger.told.has(revision));
  expect(missed, 'revisions that were never told').toEqual([]);
}

/** Checks that each acknowledgement, nack and call has one callback per receiver, and that nothing else has a callback. */
function judgeOutbox(db: Database.Database): void {
  const owed = db
    .prepare<[], { id: number; rows: number }>(
      `SELECT history.id, count(outbox.id) AS rows, group_concat(outbox.receiver) AS receivers FROM history LEFT JOIN outbox ON outbox.history_id = history.id
       WHERE (kind IN ('acknowledged', 'timedOut') AND nonce <> '') OR kind LIKE 'call%'
       GROUP BY history.id HAVING receivers IS NOT '${RECEIVERS.join(',')}'`,
    )
    .all();
  expect(owed, 'history rows without exactly one callback to each receiver').toEqual([]);
  const free = db
    .prepare<[], number>(
      `SELECT outbox.id FROM outbox LEFT JOIN history ON history.id = outbox.history_id
       WHERE history.id IS NULL OR kind IN ('killed', 'replaced', 'late')`,
    )
    .pluck()
    .all();
  expect(free, 'callbacks that nothing owes').toEqual([]);
}

/** Checks that each received body, including those of repetitions, is identical to the body on disk. */
function judgeReceived(db: Database.Database, received: readonly Received[]): void {
  const known = new Map(deliveries(db).map((delivery) => [delivery.id, delivery.payload]));
  for (const request of received) expect(request.body).toBe(known.get(deliveryId(request)));
}

/** Checks that each nonce, which was sent once, has only one outcome. */
function judgeNonces(received: readonly Received[]): void {
  const outcomes = new Map<string, Set<number>>();
  for (const request of received) {
    const { nonce } = JSON.parse(request.body) as { nonce: string };
    if (nonce !== '') outcomes.set(nonce, (outcomes.get(nonce) ?? new Set()).add(deliveryId(request)));
  }
  expect(
    [...outcomes].filter(([, ids]) => ids.size > 1).map(([nonce]) => nonce),
    'told twice',
  ).toEqual([]);
}

function judgeDeadlines(db: Database.Database, ledger: KillLedger, servesSince: number): void {
  const ended = db.prepare<[string], { kind: string; at: number; qty: number; since: string; shown: string | null }>(
    `SELECT kind, at, qty, coalesce(detail ->> 'shownAt', detail ->> 'createdAt') AS since, detail ->> 'shownAt' AS shown
     FROM history WHERE nonce = ?`,
  );
  for (const [nonce, seconds] of ledger.timed) {
    const [row, ...others] = ended.all(nonce);
    expect(others, nonce).toEqual([]);
    expect(row, nonce).toMatchObject({ kind: 'timedOut', qty: 0 });
    if (row === undefined) continue;
    const dueAt = Date.parse(row.since) + seconds * 1_000;
    expect(row.at, `${nonce} ended too early`).toBeGreaterThanOrEqual(dueAt - COMMIT_MS);
    const latest = Math.max(dueAt + GRACE_MS, servesSince + ASKING_MS) + PROMPT_MS;
    expect(row.at, `${nonce} ended too late`).toBeLessThan(latest);
  }
}

function deliveries(db: Database.Database): Delivery[] {
  return db
    .prepare<[], Delivery>('SELECT coalesce(webhook_number, id) AS id, receiver, payload, state FROM outbox')
    .all();
}

/** Returns the id of the outbox row that a webhook id refers to. */
export function deliveryId(request: Received): number {
  return Number(String(request.headers['webhook-id']).split('_').at(-1));
}
