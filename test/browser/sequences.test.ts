import { beforeEach, expect, test } from 'vitest';
import type { Sequence } from '#shared/api/sequence.ts';
import { useShop } from './shop.ts';
import { findFaults } from './window.ts';

const ONE = '51D000:000001';
const TWO = '51D000:000002';
const THREE = '51D000:000003';

const shop = useShop('sequences');

beforeEach(async () => {
  await shop.start(3);
  await shop.call('POST', `/api/device/${ONE}/`, { locationoverride: 'A-1' });
  await shop.call('POST', `/api/device/${TWO}/`, { locationoverride: 'A-2' });
  await shop.call('POST', `/api/device/${THREE}/`, { locationoverride: 'A-3' });
});

const add = (sequenceid: string, steps: object[]) => shop.call('POST', '/api/sequence/', { sequenceid, steps });
const read = (id: string) => shop.call<Sequence>('GET', `/api/sequence/${encodeURIComponent(id)}/`);

test('with only the keyboard, an example is created and launched, and the page shows each press up to completion', async () => {
  const { page, complaints } = await shop.open();
  for (const name of ['Connections', 'Sequences']) {
    await page.getByRole('link', { name, exact: true }).focus();
    await page.keyboard.press('Enter');
  }
  await page.getByRole('button', { name: 'Create an example' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Sequence Example' }).waitFor();
  await page.getByRole('button', { name: 'Launch', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByText(/^Lit, /).waitFor();
  await page.getByRole('button', { name: 'Why is Step 1 lit?' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('Shown on the device').waitFor();
  await page.keyboard.press('Escape');
  await shop.press(ONE);
  await page.getByText('1 of 3 steps done').waitFor();
  await page
    .getByText(/^Lit, /)
    .nth(1)
    .waitFor();
  await shop.press(TWO);
  await shop.press(THREE);
  await page.getByRole('button', { name: 'Launch again' }).waitFor();
  await page.getByRole('status').filter({ hasText: 'Completed' }).waitFor();
  expect(complaints).toEqual([]);
});

test('a stalled sequence shows where and why it stalled and can continue, and the list in a second window is updated', async () => {
  await add('kit 7', [
    { order: 1, location: 'A-1', line1: 'Take', seconds: 1 },
    { order: 1, location: 'A-2', line1: 'Fill', seconds: 600 },
    { order: 2, location: 'A-3', line1: 'Close', seconds: 600 },
  ]);
  const { page, complaints } = await shop.open();
  const other = await shop.open('dark');
  await other.page.goto(`${shop.url}connections/sequences`);
  const row = other.page.getByRole('row').filter({ has: other.page.getByRole('link', { name: 'kit 7' }) });
  await row.getByText('Not started').waitFor();
  await page.goto(`${shop.url}connections/sequences/kit%207`);
  await page.getByRole('button', { name: 'Launch', exact: true }).click();
  await page.getByText('A-1 timed out. A-2 can still be acknowledged.').waitFor();
  await row.getByText('Stalled').waitFor();
  await shop.press(TWO);
  await page.getByText('1 of 3 steps done').waitFor();
  await page.getByRole('button', { name: 'Continue' }).click();
  await row.getByText('Running').waitFor();
  await page.getByRole('region', { name: 'Stalled' }).waitFor({ state: 'detached' });
  expect((await read('kit 7')).steps[1]?.state).toBe('acknowledged');
  expect([...complaints, ...other.complaints]).toEqual([]);
});

test('a sequence is edited in the form, duplicated, deleted, and restored with Undo', async () => {
  await add('kit 7', [{ order: 1, location: 'A-1', line1: 'Take', arrow: 'left' }]);
  const window = await shop.open();
  const { page, complaints } = window;
  await page.goto(`${shop.url}connections/sequences/kit%207?view=edit`);
  await page.getByText('Also: arrow. Edit these as JSON.').waitFor();
  await page.getByRole('button', { name: 'Add a step', exact: true }).click();
  const step = page.getByRole('listitem', { name: 'Step 2' });
  await step.getByRole('combobox', { name: 'Place or DeviceID' }).fill('A-3');
  // Close the list of places, which hides the rest of the form from assistive technology.
  await page.keyboard.press('Tab');
  await step.getByRole('textbox', { name: 'Text', exact: true }).fill('Close');
  await step.getByRole('combobox', { name: 'Color' }).fill('ultraviolet');
  window.expectOutage(true);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText(/"ultraviolet" is no color/).waitFor();
  window.expectOutage(false);
  await step.getByRole('combobox', { name: 'Color' }).fill('blue');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Sequence kit 7 changed.').waitFor();
  expect((await read('kit 7')).steps).toMatchObject([{ arrow: 'left' }, { order: 2, location: 'A-3', color: 'blue' }]);
  await page.getByRole('button', { name: 'More for kit 7' }).click();
  await page.getByRole('menuitem', { name: 'Duplicate…' }).click();
  await page.getByRole('button', { name: 'Create sequence' }).click();
  await page.getByRole('heading', { name: 'Sequence kit 7 copy' }).waitFor();
  await page.getByRole('button', { name: 'More for kit 7 copy' }).click();
  await page.getByRole('menuitem', { name: 'Delete…' }).click();
  await page.getByText('Sequence kit 7 copy deleted.').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('link', { name: 'kit 7 copy' }).waitFor();
  expect((await read('kit 7 copy')).steps).toMatchObject([{ arrow: 'left' }, { order: 2, location: 'A-3' }]);
  expect(complaints).toEqual([]);
});

test('the Sequences page has no axe violations and does not overflow at desktop, tablet or phone widths', async () => {
  const window = await shop.open();
  const { page } = window;
  const isWell = async (what: string, isDialog = false) =>
    expect(await findFaults(window, { isDialog }), what).toEqual([]);
  await page.goto(`${shop.url}connections/sequences`);
  await page.getByRole('heading', { name: 'No sequences yet' }).waitFor();
  await isWell('none');
  await add('A name that takes most of the room there is', [
    {
      order: 1,
      location: 'A-1',
      line1: 'Twenty-six letters of text',
      seconds: 1,
      stepnonce: 'a-tag-without-any-space-in-it-for-40-more',
    },
    { order: 1, location: 'A-2', line1: 'Fill', quantity: 12, seconds: 600, color: 'yellow' },
    { order: 5, device: THREE, line1: 'Close' },
  ]);
  await shop.call('GET', `/api/launchsequence/${encodeURIComponent('A name that takes most of the room there is')}/`);
  await page.getByRole('checkbox', { name: /^Select sequence A name/ }).click();
  await page.getByText('1 lit, 1 not done').waitFor();
  await isWell('list');
  await page.getByRole('link', { name: /^A name/ }).click();
  await page.getByText(/timed out\./).waitFor();
  await isWell('stalled');
  await page.goto(`${page.url()}?view=edit`);
  await page.getByRole('dialog').waitFor();
  await isWell('edit', true);
  await page.getByRole('radio', { name: 'JSON' }).click();
  await isWell('json', true);
  expect(window.complaints).toEqual([]);
});
