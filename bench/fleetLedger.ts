/** Callbacks that the clients of stations owe their broker, on disk: what is booked survives a kill. */
import Database from 'better-sqlite3';

/** `id`: of the callback. `nonce`: of its pick. */
export type Owed = { id: string; station: number; device: string; nonce: string; payload: string };

/** Bookings of so many milliseconds share a commit, as those of 500 stations in one process must. */
const COMMIT_MS = 10;

export function openLedger(file: string) {
  const db = new Database(file);
  db.pragma('journal_mode = WAL');
  // The system keeps what a killed process wrote. Each station has a disk of its own to wait for; 500 share this one.
  db.pragma('synchronous = OFF');
  db.exec(`CREATE TABLE IF NOT EXISTS booked (id TEXT PRIMARY KEY, station INTEGER, nonce TEXT) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS owed (number INTEGER PRIMARY KEY, id TEXT, station INTEGER, device TEXT, nonce TEXT, payload TEXT);
    CREATE INDEX IF NOT EXISTS owed_id ON owed (id)`);
  const book = db.prepare('INSERT INTO booked VALUES (@id, @station, @nonce)');
  const owe = db.prepare(
    'INSERT INTO owed (id, station, device, nonce, payload) VALUES (@id, @station, @device, @nonce, @payload)',
  );
  const settle = db.prepare('DELETE FROM owed WHERE id = ?');
  let bookings: { owed: Owed; done: () => void }[] = [];
  let settled: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  const write = db.transaction(() => {
    for (const { owed } of bookings) {
      book.run(owed);
      owe.run(owed);
    }
    for (const id of settled) settle.run(id);
  });

  function commit(): void {
    timer = undefined;
    write.immediate();
    const written = bookings;
    bookings = [];
    settled = [];
    for (const { done } of written) done();
  }

  return {
    /** Oldest first. */
    listOwed: (): Owed[] =>
      db.prepare<[], Owed>('SELECT id, station, device, nonce, payload FROM owed ORDER BY number').all(),
    /** How many callbacks of each station were ever booked. */
    countBooked: (): Map<number, number> =>
      new Map(
        db
          .prepare<[], { station: number; count: number }>(
            'SELECT station, count(*) AS count FROM booked GROUP BY station',
          )
          .all()
          .map(({ station, count }) => [station, count]),
      ),
    /** `done`: it is on disk. */
    book(owed: Owed, done: () => void): void {
      bookings.push({ owed, done });
      timer ??= setTimeout(commit, COMMIT_MS);
    },
    /** The broker has it. */
    settle(id: string): void {
      settled.push(id);
      timer ??= setTimeout(commit, COMMIT_MS);
    },
    close(): void {
      if (timer !== undefined) {
        clearTimeout(timer);
        commit();
      }
      db.close();
    },
  };
}

export type FleetLedger = ReturnType<typeof openLedger>;

/** The picks of all callbacks that were booked there, by their ids. */
export function readBooked(file: string): Map<string, string> {
  const db = new Database(file, { readonly: true });
  try {
    const rows = db.prepare<[], { id: string; nonce: string }>('SELECT id, nonce FROM booked').all();
    return new Map(rows.map(({ id, nonce }) => [id, nonce]));
  } finally {
    db.close();
  }
}
