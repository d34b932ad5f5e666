/**
 * The baseline: an Express route that only commits one row per request, with synchronous=FULL. `bareServer.ts FOLDER` prints its address
 * when it is ready.
 */
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import Database from 'better-sqlite3';
import express from 'express';

const folder = process.argv[2];
if (folder === undefined) throw new Error('Usage: bareServer.ts FOLDER');

const db = new Database(join(folder, 'bare.sqlite'));
db.pragma('journal_mode = WAL');
db.pragma('synchronous = FULL');
db.exec('CREATE TABLE IF NOT EXISTS requests (id INTEGER PRIMARY KEY, device TEXT NOT NULL, body TEXT NOT NULL)');
const insert = db.prepare('INSERT INTO requests (device, body) VALUES (?, ?)');

const app = express();
app.disable('x-powered-by');
app.disable('etag');
app.post('/api/device/:device/', express.json(), (req, res) => {
  const { lastInsertRowid } = insert.run(req.params.device, JSON.stringify(req.body));
  res.json({ id: Number(lastInsertRowid) });
});
const server = app.listen(0, '127.0.0.1', () => {
  process.stdout.write(`ready at http://127.0.0.1:${(server.address() as AddressInfo).port}/\n`);
});
