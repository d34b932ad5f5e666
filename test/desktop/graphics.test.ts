import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../helpers/servers/freePort.ts';
import { until } from '../shells/until.ts';
import { call, openDesktop, ownFolder, startDesktop, windowOn, type Desktop } from './desktop.ts';

const TOLD =
  'Pickstation draws without the graphics card\nThe graphics card failed twice within a minute, so Pickstation started again without it. Everything that was lit is still lit. To try the card again, choose View, Use the graphics card.';

function graphicsProcess({ app }: Desktop): Promise<number | undefined> {
  return app.evaluate(({ app }) => app.getAppMetrics().find(({ type }) => type === 'GPU')?.pid);
}

/** Kills the graphics process once its id differs from `before`. */
async function crashGraphics(desktop: Desktop, before?: number): Promise<number> {
  let pid: number | undefined;
  await until('a graphics process', async () => {
    pid = await graphicsProcess(desktop);
    return pid !== undefined && pid !== before;
  });
  if (pid === undefined) throw new Error('unreachable');
  process.kill(pid, 'SIGKILL');
  return pid;
}

test('after a second crash of the graphics process, the program restarts without the graphics card and keeps everything lit', async () => {
  const dataFolder = ownFolder();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const desktop = await startDesktop({ dataFolder, args: ['--port', String(port), '--simulate', '1'] });
  onTestFinished(async () => {
    await desktop.stop();
    // The restarted program is not a child of this process, so find it by its command line.
    spawnSync('pkill', ['-9', '-f', dataFolder]);
  });
  await windowOn(desktop, url);
  const device = '/api/device/51D000:000001/';
  await call(url, 'POST', device, { line1: 'M8', nonce: 'n1' });
  const lit = async () =>
    ((await call(url, 'GET', device)) as { commands: { nonce: string; state: string }[] }).commands;
  await until('the device to be lit', async () => (await lit())[0]?.state === 'shown');

  const first = await crashGraphics(desktop);
  expect(await lit()).toMatchObject([{ nonce: 'n1', state: 'shown' }]);
  await crashGraphics(desktop, first);
  expect(await desktop.ended).toBe(0);
  await until('the next start', async () => {
    const answer = await fetch(`${url}healthz`).catch(() => undefined);
    return answer?.ok === true;
  });
  expect(await lit()).toMatchObject([{ nonce: 'n1' }]);
  expect(JSON.parse(readFileSync(join(dataFolder, 'window.json'), 'utf8'))).toMatchObject({
    withoutGraphicsCard: true,
  });
});

test('after the graphics card fails, one notification reports it, and the menu can turn the card on again', async () => {
  const dataFolder = ownFolder();
  writeFileSync(join(dataFolder, 'window.json'), '{"withoutGraphicsCard":true}');
  const isAccelerated = ({ app }: Desktop) => app.evaluate(({ app }) => app.isHardwareAccelerationEnabled());
  const quit = async (desktop: Desktop): Promise<void> => {
    await desktop.app.evaluate(({ app }) => app.quit()).catch(() => undefined);
    await desktop.ended;
  };

  const first = await openDesktop({ dataFolder });
  await windowOn(first, await first.url());
  expect(await isAccelerated(first)).toBe(false);
  await until('the words', async () => (await first.notifications()).length > 0);
  expect(await first.notifications()).toEqual([TOLD]);
  await quit(first);

  const second = await openDesktop({ dataFolder });
  await windowOn(second, await second.url());
  expect(await isAccelerated(second)).toBe(false);
  expect(await second.notifications()).toEqual([]);
  await second.app.evaluate(({ Menu }) => {
    const view = Menu.getApplicationMenu()?.items.find(({ label }) => label === '&View');
    view?.submenu?.items.find(({ label }) => label === 'Use the graphics card')?.click();
  });
  expect(await second.notifications()).toEqual(['Use the graphics card\nThis takes effect at the next start.']);
  await quit(second);

  const third = await openDesktop({ dataFolder });
  await windowOn(third, await third.url());
  expect(await isAccelerated(third)).toBe(true);
  expect(await third.notifications()).toEqual([]);
});
