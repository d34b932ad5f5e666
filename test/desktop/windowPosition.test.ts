import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { until } from '../shells/until.ts';
import {
  expectOrderlyEnd,
  manageWindows,
  openDesktop,
  ownFolder,
  startDesktop,
  windowOn,
  type Desktop,
} from './desktop.ts';

test('the window reopens at its last position', async () => {
  const dataFolder = ownFolder();
  const box = { x: 100, y: 50, width: 900, height: 640 };
  const first = await openDesktop({ dataFolder });
  await windowOn(first, await first.url());
  await first.app.evaluate(({ BrowserWindow }, box) => BrowserWindow.getAllWindows()[0]?.setBounds(box), box);
  // The display server moves the window with a delay, so wait for it.
  await until('the window to be there', async () => {
    const there = await first.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getNormalBounds());
    return JSON.stringify(there) === JSON.stringify(box);
  });
  await expectOrderlyEnd(first, dataFolder, () => first.app.evaluate(({ app }) => app.quit()));
  expect(JSON.parse(readFileSync(join(dataFolder, 'window.json'), 'utf8'))).toMatchObject({ box });

  const second = await openDesktop({ dataFolder });
  await windowOn(second, await second.url());
  const { found } = await second.app.evaluate(({ BrowserWindow }) => ({
    found: BrowserWindow.getAllWindows()[0]?.getNormalBounds(),
  }));
  expect(found).toEqual(box);
});

test('saves the window position while the window moves', async () => {
  const dataFolder = ownFolder();
  const box = { x: 120, y: 60, width: 880, height: 620 };
  const first = await startDesktop({ dataFolder });
  await windowOn(first, await first.url());
  await first.app.evaluate(({ BrowserWindow }, box) => BrowserWindow.getAllWindows()[0]?.setBounds(box), box);
  const kept = () => readFileSync(join(dataFolder, 'window.json'), { encoding: 'utf8', flag: 'a+' });
  await until('the place to be kept', () => kept().includes('"width":880'));
  await first.stop();
  expect(JSON.parse(kept())).toMatchObject({ box, maximized: false });
});

test('a maximized window reopens maximized, and keeps its normal size', async () => {
  await manageWindows();
  const dataFolder = ownFolder();
  const box = { x: 120, y: 60, width: 880, height: 620 };
  const first = await startDesktop({ dataFolder });
  await windowOn(first, await first.url());
  const file = join(dataFolder, 'window.json');
  const kept = () => JSON.parse(readFileSync(file, 'utf8')) as { box: typeof box; maximized: boolean };
  await first.app.evaluate(({ BrowserWindow }, box) => BrowserWindow.getAllWindows()[0]?.setBounds(box), box);
  await until('the place to be kept', () => existsSync(file) && kept().box.width === box.width);
  const placed = kept().box;
  await until('the window to be stored as maximized', async () => {
    await first.app.evaluate(({ BrowserWindow }) => {
      const [window] = BrowserWindow.getAllWindows();
      // The window manager may miss the first call while it still moves the window.
      if (window?.isMaximized() === false) window.maximize();
    });
    return kept().maximized;
  });
  expect(kept().box).toEqual(placed);
  await first.stop();

  // Start twice: a window that starts maximized does not know its normal size either.
  for (let start = 2; start <= 3; start += 1) {
    const next = await openDesktop({ dataFolder });
    await windowOn(next, await next.url());
    await until('the window to be maximized', () => isMaximised(next));
    await expectOrderlyEnd(next, dataFolder, () => next.app.evaluate(({ app }) => app.quit()));
    expect(kept()).toMatchObject({ box: placed, maximized: true });
  }
  const last = await openDesktop({ dataFolder });
  await windowOn(last, await last.url());
  await until('the window to be maximized', () => isMaximised(last));
  await until('the window to be as before', async () => {
    const bounds = await last.app.evaluate(({ BrowserWindow }) => {
      const [window] = BrowserWindow.getAllWindows();
      // The window manager may miss the first call while it still places a new window.
      if (window?.isMaximized() === true) window.unmaximize();
      return window?.getBounds();
    });
    return bounds?.width === box.width && bounds.height === box.height;
  });

  function isMaximised({ app }: Desktop): Promise<boolean> {
    return app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isMaximized() === true);
  }
});
