import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { TurboLink } from '#shared/api/turbo.ts';
import { startFakeAccessPoint } from '../../helpers/devices/fakeAccessPoint.ts';
import { createFakeClock } from '../../helpers/fakeClock.ts';
import { START_MS, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const TAG = { mac: '0000A0B1C2000001', type: '33' };
const TAG_ID = 'A0B1C2:000001';

/** Polls on each turn of the real event loop, because the sockets are real. */
async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  for (let waits = 0; !(await isSo()); waits++) {
    if (waits > 5_000) throw new Error('It never was.');
    await new Promise(setImmediate);
  }
}

async function linkOf(station: TestStation): Promise<TurboLink | undefined> {
  return (await station.get<TurboLink[]>('/api/turbo/links/'))[0];
}

test('an access point is added by its address, restored after a restart, and forgotten when removed', async () => {
  const clock = createFakeClock(START_MS);
  const accessPoint = await startFakeAccessPoint(clock, [TAG, { mac: '0000A0B1C2000009', type: 'FE' }]);
  const station = await startTestStation({ clock });
  onTestFinished(async () => {
    await station.stop();
    await accessPoint.stop();
  });
  const link = await station.post<TurboLink>('/api/turbo/links/', {
    kind: 'openepaperlink',
    url: accessPoint.url,
    name: 'Shop',
  });
  await until(async () => ((await linkOf(station))?.problems.length ?? 0) > 0);
  expect(await linkOf(station)).toMatchObject({
    step: 'online',
    problem: null,
    problems: [expect.stringContaining('0000A0B1C2000009 is of type FE')],
    turbo: expect.stringMatching(/^oepl-127\.0\.0\.1:/),
  });
  await station.post(`/api/device/${TAG_ID}/`, { command: 'pick', line1: 'M8 nut', seconds: 0, nonce: 'p1' });
  const isShown = async () => (await station.device(TAG_ID)).commands[0]?.state === 'shown';
  for (let waits = 0; !(await isShown()) && waits < 600; waits++) await clock.advance(500);
  expect(await isShown()).toBe(true);

  // The tag is pressed while the station is stopped.
  const tag = accessPoint.tag(TAG.mac);
  const uploads = accessPoint.uploads();
  await station.halt();
  tag.queue = [];
  tag.press();
  await station.restart();
  await until(async () => (await station.device(TAG_ID)).commands.length === 0);
  expect(station.rows("SELECT nonce FROM history WHERE kind = 'acknowledged'")).toEqual([{ nonce: 'p1' }]);
  expect(accessPoint.uploads()).toBe(uploads);

  expect(station.rows('SELECT key FROM link_memory')).toEqual([{ key: TAG.mac }]);
  await station.request('DELETE', `/api/turbo/links/${link.id}/`);
  expect(station.rows('SELECT key FROM link_memory')).toEqual([]);
});

test('explains why an address is not an access point', async () => {
  const server = createServer((req, res) => {
    if (req.url === '/sysinfo') res.writeHead(200, { 'content-type': kind.type });
    res.end(kind.text);
  });
  const kind = { type: 'text/html', text: '<!doctype html><title>Printer</title>' };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const station = await startTestStation();
  onTestFinished(() => station.stop());
  await station.post('/api/turbo/links/', { kind: 'openepaperlink', url });
  const problemIs = (text: string) => until(async () => ((await linkOf(station))?.problem ?? '').includes(text));
  await problemIs(`${url} answers with a web page, not as an OpenEPaperLink access point.`);

  const again = () => station.clock.advance(31_000);
  kind.type = 'application/json';
  kind.text = '{"name":"a printer"}';
  await again();
  await problemIs(`${url} answers, but it is not an OpenEPaperLink access point.`);
  kind.text = `{"buildversion":"${'x'.repeat(100_000)}"}`;
  await again();
  await problemIs('The answer is too long for an access point.');
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await again();
  await problemIs(`No answer from ${url}: nothing accepts connections there.`);
  expect((await linkOf(station))?.step).toBe('waiting');
});
