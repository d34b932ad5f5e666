import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { selfSigned } from '../helpers/servers/selfSigned.ts';
import { spawnStation } from '../helpers/spawnStation.ts';
import { tlsRequest } from '../helpers/servers/tlsRequest.ts';
import { ADMIN_PASSWORD, API_KEY } from '../shells/stationProcess.ts';
import { until } from '../shells/until.ts';
import { openDesktop, ownFolder, windowOn } from './desktop.ts';

/** Creates a data folder whose station creates its own certificate. The returned `serve` starts the station without the window. */
async function encryptedFolder(): Promise<{ dataFolder: string; serve(): ReturnType<typeof spawnStation> }> {
  const dataFolder = ownFolder();
  const serve = () => {
    const station = spawnStation(['--port', '0', '--data', dataFolder, '--simulate', '1'], {
      PICKSTATION_API_KEY: API_KEY,
      PICKSTATION_ADMIN_PASSWORD: ADMIN_PASSWORD,
    });
    onTestFinished(async () => {
      station.process.kill('SIGTERM');
      await station.exit();
    });
    return station;
  };
  const first = serve();
  const url = await first.ready();
  const headers = { 'api-key': API_KEY, 'content-type': 'application/json' };
  const body = JSON.stringify({ tls: 'generated' });
  expect((await fetch(`${url}api/settings/`, { method: 'PATCH', headers, body })).status).toBe(200);
  first.process.kill('SIGTERM');
  await first.exit();
  return { dataFolder, serve };
}

test('the window opens its own encrypted station signed in, and the tray shows what is lit', async () => {
  const { dataFolder } = await encryptedFolder();
  const desktop = await openDesktop({ dataFolder });
  const url = await desktop.url();
  expect(url).toMatch(/^https:\/\/127\.0\.0\.1:/);
  const page = await windowOn(desktop, url);
  await page.getByRole('heading', { name: 'Today', exact: true }).waitFor();
  const lit = await tlsRequest(url, '/api/device/51D000:000001/', {
    method: 'POST',
    headers: { 'api-key': API_KEY },
    body: { line1: 'encrypted', seconds: 0 },
  });
  expect(lit.status).toBe(200);
  await until('the tray', async () => (await desktop.trayMenu()).some((label) => label.includes('51D000:000001')));
});

test('the window opens an encrypted headless station by the fingerprint in the data folder', async () => {
  const { dataFolder, serve } = await encryptedFolder();
  const station = serve();
  const url = (await station.ready()) ?? '';
  const desktop = await openDesktop({ dataFolder });
  const page = await windowOn(desktop, url);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
});

test('the window does not trust any other certificate, even on this machine', async () => {
  const { dataFolder } = await encryptedFolder();
  const desktop = await openDesktop({ dataFolder });
  await windowOn(desktop, await desktop.url());
  let asked = 0;
  const server = createServer(selfSigned('other'), (_req, res) => {
    asked += 1;
    res.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const other = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  // Bypass the window's guards, which would block the request.
  const failure = await desktop.app.evaluate(async ({ session }, other) => {
    const own = session.fromPartition('persist:station');
    own.webRequest.onBeforeRequest(null);
    await own.setProxy({ mode: 'direct' });
    return own.fetch(other).then(
      () => 'it was trusted',
      (error: unknown) => String(error),
    );
  }, other);
  expect(failure).toMatch(/ERR_(?:FAILED|CERT)/);
  expect(asked).toBe(0);
});
