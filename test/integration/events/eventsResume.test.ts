import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Station } from '#shared/api/station.ts';
import { openStream, type EventStream } from '../../helpers/servers/eventStream.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const DEVICE = '51D000:000001';

let station: TestStation;
const streams: EventStream[] = [];

beforeEach(async () => {
  station = await startTestStation({ simulate: 1, refreshMs: 0 });
});

afterEach(async () => {
  for (const stream of streams.splice(0)) stream.close();
  await station.stop();
});

async function resume(lastEventId: string, from = station): Promise<EventStream> {
  const stream = await openStream(from.url, { lastEventId });
  streams.push(stream);
  // The ephemera follow the missed facts, so wait for them.
  await stream.until(() => stream.messages().some(({ event }) => event === 'ephemera'));
  return stream;
}

const revision = async () => (await station.get<Station>('/api/station/')).revision;
const isReset = (stream: EventStream) => stream.messages()[0]?.event === 'reset';

async function change(text: string): Promise<void> {
  await station.post(`/api/device/${DEVICE}/`, { statica: text });
}

test('a returning reader gets each missed commit exactly once, in order', async () => {
  for (const text of ['a', 'b', 'c']) await change(text);
  const known = await revision();
  for (const text of ['d', 'e', 'f']) await change(text);
  const stream = await resume(String(known));
  expect(stream.commits().map(({ id }) => id)).toEqual([known + 1, known + 2, known + 3]);
  expect(stream.commits().map(({ facts }) => facts[0])).toMatchObject([
    { changed: { statica: 'd' } },
    { changed: { statica: 'e' } },
    { changed: { statica: 'f' } },
  ]);
  await change('g');
  await station.clock.advance(50);
  await stream.until(() => stream.commits().length > 3);
  expect(stream.commits().at(-1)?.id).toBe(known + 4);
});

test('a reader that missed nothing gets neither commits nor a reset', async () => {
  await change('a');
  const stream = await resume(String(await revision()));
  await station.clock.advance(100);
  expect(stream.messages().map(({ event }) => event)).not.toContain('reset');
  expect(stream.commits()).toEqual([]);
});

test('a reader that is disconnected repeatedly resumes without gaps or repetitions', async () => {
  let last = await revision();
  const seen: number[] = [];
  const start = last;
  for (let round = 0; round < 10; round += 1) {
    const stream = await resume(String(last));
    await change(`while reading ${round}`);
    if (round % 2 === 0) await station.clock.advance(20);
    stream.close();
    await stream.ended();
    await change(`while away ${round}`);
    for (const { id } of stream.commits()) seen.push(id);
    last = seen.at(-1) ?? last;
  }
  const end = await revision();
  for (const { id } of (await resume(String(last))).commits()) seen.push(id);
  expect(seen).toEqual(Array.from({ length: end - start }, (_, index) => start + index + 1));
});

test('a last id that is not a revision of this station gets a reset', async () => {
  await change('a');
  const now = await revision();
  for (const id of [String(now + 1), '999999999999', '9'.repeat(30), '-1', '1.5', 'abc', 'NaN', 'Infinity', '0x']) {
    expect(isReset(await resume(id)), id).toBe(true);
  }
});

test('after a reset, the stream continues as for a new reader', async () => {
  const stream = await resume('abc');
  await change('a');
  await station.clock.advance(50);
  await stream.until(() => stream.commits().length > 0);
  expect(stream.commits()).toMatchObject([{ id: await revision(), facts: [{ changed: { statica: 'a' } }] }]);
});

test('a reader with an empty last id counts as a new reader', async () => {
  await change('a');
  const stream = await resume('');
  expect(stream.messages().map(({ event }) => event)).toEqual(['ephemera']);
});

test('a revision that is no longer stored gets a reset, but the oldest revision that can be resumed does not', async () => {
  for (const text of ['a', 'b', 'c', 'd']) await change(text);
  const now = await revision();
  const db = new Database(join(station.dataFolder, 'pickstation.sqlite'));
  db.prepare('DELETE FROM commits WHERE revision < ?').run(now - 1);
  db.close();
  expect(isReset(await resume(String(now - 3)))).toBe(true);
  const oldest = await resume(String(now - 2));
  expect(oldest.commits().map(({ id }) => id)).toEqual([now - 1, now]);
});

test('a reader can resume after a restart', async () => {
  await change('a');
  const known = await revision();
  await change('b');
  await station.restart();
  const stream = await resume(String(known));
  expect(stream.commits()[0]).toMatchObject({ id: known + 1, facts: [{ changed: { statica: 'b' } }] });
});

test('a reader that missed too many commits, by number or by size, gets a reset', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pickstation-resume-'));
  const first = await startTestStation({ dataFolder: folder, simulate: 1 });
  await first.stop();
  const db = new Database(join(folder, 'pickstation.sqlite'));
  const newest = () => Number(db.prepare('SELECT max(revision) FROM commits').pluck().get());
  const insert = db.prepare('INSERT INTO commits (revision, at, facts) VALUES (?, 0, ?)');
  const append = (count: number, facts: string) => {
    const start = newest();
    db.transaction(() => {
      for (let index = 1; index <= count; index += 1) insert.run(start + index, facts);
    })();
    return start;
  };
  const start = append(5_001, '[{"type":"settings.changed"}]');
  const large = append(3, `[{"type":"settings.changed","x":"${'ä'.repeat(600 * 1024)}"}]`);
  const long = await startTestStation({ dataFolder: folder });
  try {
    expect(isReset(await resume(String(large), long))).toBe(true);
    const near = await resume(String(large + 2), long);
    expect(near.commits()[0]?.id).toBe(large + 3);
    db.prepare('DELETE FROM commits WHERE revision > ?').run(large);
    expect(isReset(await resume(String(start), long))).toBe(true);
    const all = await resume(String(start + 1), long);
    expect([all.commits()[0]?.id, all.commits().at(-1)?.id]).toEqual([start + 2, large]);
  } finally {
    db.close();
    for (const stream of streams.splice(0)) stream.close();
    await long.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a stream begins with an id, so that a reader disconnected before the first event can resume', async () => {
  await change('a');
  const known = await revision();
  const stream = await openStream(station.url);
  streams.push(stream);
  await stream.until(() => stream.text().includes('event: ephemera'));
  expect(stream.text().startsWith(`retry: 1000\nid: ${known}\n\n`)).toBe(true);
  stream.close();
  await change('b');
  expect((await resume(String(known))).commits().map(({ id }) => id)).toEqual([known + 1]);
});

test('the first id of a resumed stream does not skip events that have not been sent', async () => {
  await change('a');
  const known = await revision();
  for (const text of ['b', 'c']) await change(text);
  expect((await resume(String(known))).text().startsWith(`retry: 1000\nid: ${known}\n\n`)).toBe(true);
  const reset = await resume('999999999');
  expect(isReset(reset)).toBe(true);
  expect(reset.text().startsWith(`retry: 1000\nid: ${await revision()}\n\n`)).toBe(true);
});

const LISTS = ['order-progress', 'sequence-progress', 'work', 'orders', 'articles', 'stock', 'tasks', 'batches'];

test.each(LISTS.map((list) => `/api/${list}/`))(
  'GET %s returns its revision, from which the stream continues without a gap',
  async (path) => {
    const before = await revision();
    await station.post('/api/orders/', { order_number: path, items: [{ name: 'Nut', ordered_quantity: 1 }] });
    const { headers } = await station.request('GET', path);
    const named = headers.get('pickstation-revision');
    expect(Number(named)).toBe(before + 1);
    await station.post('/api/orders/', { order_number: `${path}2`, items: [{ name: 'Nut', ordered_quantity: 1 }] });
    const [commit] = (await resume(named ?? '')).commits();
    expect(commit).toMatchObject({ id: before + 2 });
    expect(commit?.facts.map(({ type }) => type)).toContain('order.changed');
  },
);
