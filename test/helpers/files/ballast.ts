import Database from 'better-sqlite3';

const MEGABYTE = 1024 * 1024;

/** Makes a station's database so large that a copy takes more than one step. */
export function addBallast(file: string, megabytes: number): void {
  const db = new Database(file, { timeout: 5_000 });
  const insert = db.prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)');
  db.transaction(() => {
    for (let row = 0; row < megabytes; row += 1) insert.run(`ballast ${row}`, 'x'.repeat(MEGABYTE));
  })();
  db.close();
}
