import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const ONE = '51D000:000001';
const TWO = '51D000:000002';

let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 2 });
  await station.clock.advance(12_000);
  for (const deviceId of [ONE, TWO]) await send(deviceId, 'before');
  await station.clock.advance(5_000);
});

afterEach(() => station.stop());

/** Replaces the command that the device shows. The device reports the new command only once it has drawn it. */
const send = (deviceId: string, line1: string) => station.post(`/api/device/${deviceId}/`, { line1, nonce: 'same' });

/** Makes SQLite roll back every commit that contains this fact, until the returned function is called. */
function breakCommits(fact: string): () => void {
  const change = (sql: string) => {
    const db = new Database(join(station.dataFolder, 'pickstation.sqlite'));
    db.exec(sql);
    db.close();
  };
  change(
    `CREATE TRIGGER broken BEFORE INSERT ON commits WHEN new.facts LIKE '%"${fact}"%'
     BEGIN SELECT RAISE(ROLLBACK, 'the disk is broken'); END`,
  );
  return () => change('DROP TRIGGER broken');
}

async function sendUnrecorded(fact: string): Promise<string> {
  const mend = breakCommits(fact);
  const sentAt = new Date(station.clock.now()).toISOString();
  await send(ONE, 'x');
  await station.clock.advance(100);
  mend();
  expect(station.logged.map(({ message }) => message)).toContain('a commit failed and was rolled back whole');
  expect((await station.device(ONE)).commands).toMatchObject([{ state: 'queued', sent_at: null }]);
  return sentAt;
}

test('keeps the time at which a command was sent, even if the commit that records it fails', async () => {
  const sentAt = await sendUnrecorded('command.sent');
  await station.clock.advance(5_000);
  expect((await station.device(ONE)).commands).toMatchObject([{ state: 'shown', sent_at: sentAt }]);
});

test('records a send whose commit failed together with the next send', async () => {
  const sentAt = await sendUnrecorded('command.sent');
  await send(TWO, 'y');
  expect((await station.device(ONE)).commands).toMatchObject([{ state: 'sent', sent_at: sentAt }]);
  expect((await station.device(TWO)).commands).toMatchObject([{ state: 'sent' }]);
});

test('keeps the sending time even if the failed commit would have recorded both sent and shown', async () => {
  await station.patch(`/api/simulator/devices/${ONE}/`, { refresh_ms: 0 });
  const sentAt = await sendUnrecorded('command.s%');
  // The turbo has kept its report and repeats it.
  await station.clock.advance(5_000);
  expect((await station.device(ONE)).commands).toMatchObject([{ state: 'shown', sent_at: sentAt }]);
});
