import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import type { Board, BoardJob, BoardUpdate } from '#shared/api/board.ts';
import { useShop } from './shop.ts';
import { findBarriers, measureOverflow, takePictures } from './window.ts';

const BOARD: Board = {
  port: '/dev/ttyACM0',
  name: 'MicroPython',
  serial_number: 'E6614864D3',
  profiles: ['badger2040w', 'badger2040', 'generic'],
};
const UPDATE: BoardUpdate = {
  turbo: 'board-A1B2C3:D4E5F6',
  name: 'Packing table',
  runs: '1f2e3d4c',
  update: '9a8b7c6d',
};
const INSTALLATION: BoardJob = {
  id: '1',
  kind: 'installation',
  port: BOARD.port,
  profile: 'badger2040w',
  state: 'running',
  step: 'writing',
  progress: 0.42,
  problem: null,
  deviceid: null,
  turbo: null,
  started: '2026-11-20T08:00:00.000Z',
};
const RUNNING: BoardJob = {
  ...INSTALLATION,
  id: '2',
  kind: 'update',
  port: 'network',
  profile: null,
  turbo: UPDATE.turbo,
};
const FAILED: Partial<BoardJob> = {
  state: 'failed',
  problem: 'The flash of the board is full: 61440 bytes are needed, and 8192 are free.',
};

const shop = useShop('boards');

beforeEach(() => shop.start(2));

/** Gives the page these answers, which a station with boards would send, because no board is plugged into this machine. */
async function pretend(page: Page, answers: Record<string, () => unknown>): Promise<void> {
  await page.route('**/api/boards/**', async (route) => {
    const { pathname } = new URL(route.request().url());
    const answer = answers[`${route.request().method()} ${pathname}`];
    await (answer === undefined ? route.continue() : route.fulfill({ json: answer() }));
  });
}

test('a board is offered and set up, a failure is shown, and another board is updated', async () => {
  const window = await shop.open();
  const { page, complaints } = window;
  let job = INSTALLATION;
  let updates = [UPDATE];
  await pretend(page, {
    'GET /api/boards/': () => [BOARD],
    'POST /api/boards/': () => INSTALLATION,
    'GET /api/boards/jobs/1/': () => job,
    'GET /api/boards/updates/': () => updates,
    'POST /api/boards/updates/': () => ((updates = []), [RUNNING]),
    'GET /api/boards/jobs/2/': () => RUNNING,
  });
  await page.getByRole('link', { name: 'Connections', exact: true }).click();
  await page.getByRole('heading', { name: 'Badger 2040 W is plugged in' }).waitFor();
  await takePictures(window, 'boards-offered');
  await page.getByRole('button', { name: 'Set up this board…' }).click();
  await page.getByLabel('Place').fill('A-1-1');
  await page.getByRole('switch', { name: /^Connect over Wi-Fi/ }).press('Space');
  await takePictures(window, 'boards-form');
  expect(await findBarriers(window)).toEqual([]);
  expect(await measureOverflow(page)).toBe(0);
  await page.getByRole('switch', { name: /^Connect over Wi-Fi/ }).press('Space');
  await page.getByRole('button', { name: 'Set up', exact: true }).click();
  await page.getByText('42 %').first().waitFor();
  await page.getByRole('button', { name: 'Update', exact: true }).click();
  await takePictures(window, 'boards-jobs');
  expect(await findBarriers(window)).toEqual([]);
  job = { ...INSTALLATION, ...FAILED };
  await page.getByText(/^The flash of the board is full/).waitFor();
  await takePictures(window, 'boards-failed');
  expect(await measureOverflow(page)).toBe(0);
  expect(complaints).toEqual([]);
});
