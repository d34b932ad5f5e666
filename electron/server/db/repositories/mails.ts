import type { AlertNotice } from '../../domain/alerts/alertMail.ts';
import type { Db } from '../db.ts';
import { storedJson } from '../storedJson.ts';
import { statements } from './statements.ts';

/** An alert notice that waits to be sent by e-mail. */
export type MailRow = { id: number; notice: AlertNotice; createdAt: number };

/** A stored notice. `notice` is undefined if the row is damaged. */
type WaitingMail = Omit<MailRow, 'notice'> & { notice: AlertNotice | undefined };

type StoredRow = { id: number; notice: string; created_at: number };

export function mailRows(db: Db) {
  const { insert, list, meta, number, run } = statements(db);
  const add = insert<[notice: string, at: number]>('INSERT INTO mails (notice, created_at) VALUES (?, ?)');
  const upTo = run<[id: number]>('DELETE FROM mails WHERE id <= ?');
  const oldest = list<[limit: number], StoredRow>('SELECT id, notice, created_at FROM mails ORDER BY id LIMIT ?');
  const sent = meta('mails_sent');
  return {
    insert: (notice: AlertNotice, at: number): number => add(JSON.stringify(notice), at),
    /** Lists notices, oldest first. */
    list: (limit: number): WaitingMail[] =>
      oldest(limit).map(({ id, notice, created_at: createdAt }) => ({
        id,
        notice: storedJson('mails.notice', notice) as AlertNotice | undefined,
        createdAt,
      })),
    count: number<[]>('SELECT count(*) FROM mails'),
    /** Deletes notices up to this id. */
    removeUpTo: upTo,
    remove: run<[id: number]>('DELETE FROM mails WHERE id = ?'),
    clear: run<[]>('DELETE FROM mails'),
    /** Returns the times of the most recent e-mails, in epoch milliseconds, oldest first. */
    findSent: (): number[] => (sent.getJson() ?? []) as number[],
    saveSent: (times: readonly number[]) => sent.set(JSON.stringify(times)),
  };
}
