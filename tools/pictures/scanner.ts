import type { Scene } from './scene.ts';

/** The Scanner page: waiting, a good scan, GS1, and a scanner whose layout is not that of the computer. */
export async function scanner({ shop, page, take }: Scene): Promise<void> {
  const size = page.viewportSize();
  await page.goto(`${shop.url}scanner`);
  await page.getByRole('heading', { name: 'Last scan' }).waitFor();
  await take('scanner');
  await page.keyboard.type('A-3-2');
  await page.keyboard.press('Enter');
  await page.getByText('This scanner is set well.').waitFor();
  await take('scanner-good');
  await page.waitForTimeout(100);
  await page.keyboard.type(']C1010950110102091710AB1');
  await page.keyboard.press('Control+BracketRight');
  await page.keyboard.type('217');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'GS1 parts' }).waitFor();
  await take('scanner-gs1');
  // As a German layout understands the keys of a scanner.
  await page.evaluate(`for (const [key, code] of ['aKeyA', 'YKeyZ', 'ßMinus', 'qKeyQ', 'Enter'].map((each) =>
    each === 'Enter' ? [each, each] : [each[0], each.slice(1)]))
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key, code, bubbles: true, cancelable: true }))`);
  await page.getByText('Does not match the scanner').waitFor();
  await take('scanner-layout');
  await page.setViewportSize({ width: 390, height: 844 });
  await take('scanner-phone');
  await page.getByRole('heading', { name: 'Last scan' }).scrollIntoViewIfNeeded();
  await take('scanner-phone-result');
  if (size !== null) await page.setViewportSize(size);
}
