import type { Db } from '../database.ts';

export type HistoryKind =
  | 'acknowledged'
  | 'timedOut'
  | 'killed'
  | 'replaced'
  | 'late'
  | 'call'
  | 'call_up'
  | 'call_down';

/** One thing that happened and is over. `detail` holds what its timeline tells: who sent it, its content, its times. */
export type HistoryEntry = {
  at: number;
  kind: HistoryKind;
  deviceId: string;
  commandId: number | null;
  nonce: string;
  location: string;
  qty: number;
  detail: object;
};

export type HistoryRows = ReturnType<typeof historyRows>;

export function historyRows(db: Db) {
  const insert = db.prepare(
    `INSERT INTO history (at, kind, device_id, command_id, nonce, location, qty, detail) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const successor = db
    .prepare<[number], number | null>(
      "SELECT detail ->> 'replacedBy' FROM history WHERE command_id = ? AND kind = 'replaced' AND detail ->> 'sameContent'",
    )
    .pluck();
  return {
    /** The command that took this one's place with the same content, or undefined. */
    findSuccessor: (commandId: number): number | undefined => successor.get(commandId) ?? undefined,
    /** Answers the row's id. */
    insert(entry: HistoryEntry): number {
      const { at, kind, deviceId, commandId, nonce, location, qty, detail } = entry;
      return Number(
        insert.run(at, kind, deviceId, commandId, nonce, location, qty, JSON.stringify(detail)).lastInsertRowid,
      );
    },
  };
}
