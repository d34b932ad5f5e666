import { beforeEach, expect, test } from 'vitest';
import type { UpdateStatus } from '#shared/api/updates.ts';
import { VERSION } from '#shared/api/version.ts';
import { useShop } from './shop.ts';
import { findBarriers, measureOverflow } from './window.ts';

const SIZES = [
  { width: 1_280, height: 860 },
  { width: 390, height: 844 },
];
const AT = '2026-11-20T08:00:00.000Z';
const AVAILABLE: UpdateStatus = {
  version: VERSION,
  can: 'install',
  reason: '',
  mode: 'notify',
  policy: null,
  state: 'available',
  found: '9.0.0',
  percent: null,
  checked_at: AT,
  problem: null,
  notice: null,
  failed: { version: '9.0.0', at: AT, problem: 'It ended before it was ready.' },
};

const shop = useShop('updates');

beforeEach(() => shop.start(1));

test('the Updates section has no axe violations and does not overflow at desktop, tablet or phone widths', async () => {
  const window = await shop.open();
  const { page } = window;
  // A station without the desktop program has no updates, so fake its answers.
  let status: UpdateStatus = AVAILABLE;
  await page.route('**/api/updates/', (route) => route.fulfill({ json: status }));
  const isWell = async (what: string) => {
    for (const size of SIZES) {
      await page.setViewportSize(size);
      expect(await measureOverflow(page), `${what} ${size.width}`).toBe(0);
    }
    expect(await findBarriers(window), what).toEqual([]);
  };
  await page.goto(`${shop.url}settings#updates`);
  await page.getByText('Version 9.0.0 did not start on this machine', { exact: true }).first().waitFor();
  await isWell('one that failed');
  await page.getByRole('button', { name: 'Install and restart…' }).click();
  await page.getByRole('alertdialog', { name: 'Install version 9.0.0?' }).waitFor();
  await isWell('the question');
  status = { ...AVAILABLE, state: 'downloading', percent: 40, mode: 'off', policy: 'off', failed: null };
  await page.reload();
  await page.getByRole('progressbar', { name: 'Downloading version 9.0.0' }).waitFor();
  await isWell('a download, fixed by a policy');
  expect(window.complaints).toEqual([]);
});
