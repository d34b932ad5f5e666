import { expect, test } from 'vitest';
import type { Diagnostics } from '#shared/api/diagnostics.ts';
import { API_KEY, startTestStation } from '../../helpers/startTestStation.ts';

test('an error on the page becomes one log line, with hostile characters escaped and secrets hidden', async () => {
  await using station = await startTestStation({});
  await station.post('/api/page-errors/', {
    message: `it broke\n{"level":"fatal"}\u001B[2J\u202Egnp token=${API_KEY}`,
    stack: 'Error: it broke\n    at Rail (rail.js:1:2)\u009B31m',
    path: '/orders',
  });
  const { log } = await station.get<Diagnostics>('/api/diagnostics/');
  const lines = log.filter(({ message }) => message === 'an error in the page');
  expect(lines).toMatchObject([{ level: 'warn', error: expect.stringContaining('it broke {') as string }]);
  expect(lines[0]?.error).toContain('\\u{1b}[2J\\u{202e}gnp');
  expect(lines[0]?.error).not.toContain(API_KEY);
});

test('a page that crashes repeatedly adds 20 log lines, and then one per minute', async () => {
  await using station = await startTestStation({});
  const count = async (): Promise<number> =>
    (await station.get<Diagnostics>('/api/diagnostics/')).log.filter(({ message }) => /error in the page/.test(message))
      .length;
  const crash = async (times: number): Promise<void> => {
    for (let time = 0; time < times; time += 1) await station.post('/api/page-errors/', { message: `crash ${time}` });
  };
  await crash(30);
  expect(await count()).toBe(20);
  await station.clock.advance(60_000);
  await crash(5);
  expect(await count()).toBe(21);
});

test('refuses reports that are too long or unauthenticated', async () => {
  await using station = await startTestStation({});
  const { status } = await station.request('POST', '/api/page-errors/', { message: 'x'.repeat(501) });
  expect(status).toBe(400);
  const stranger = await fetch(`${station.url}api/page-errors/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ message: 'x' }),
  });
  expect(stranger.status).toBe(401);
  const { log } = await station.get<Diagnostics>('/api/diagnostics/');
  expect(log.filter(({ message }) => /page/.test(message))).toEqual([]);
});
