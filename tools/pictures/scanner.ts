import type { Scene } from './scene.ts';
import { typing } from './typing.ts';

/**
 * Takes screenshots of the Scanner page: waiting, after a good scan, with a GS1 code, and with a scanner whose keyboard layout differs from
 * the computer's.
 */
export async function scanner({ shop, page, take }: Scene): Promise<void> {
  const size = page.viewportSize();
  await page.goto(`${shop.url}scanner`);
  await page.getByRole('heading', { name: 'Last scan' }).waitFor();
  await take('scanner');
  await page.evaluate(typing('A:KeyA -:Minus 3:Digit3 -:Minus 2:Digit2 Enter:Enter'));
  await page.getByText('This scanner is set up correctly.').waitFor();
  await take('scanner-good');
  const gs1 = Array.from(']C1010950110102091710AB1', (key) => `${key}:${codeOf(key)}`).join(' ');
  await page.evaluate(typing(`${gs1} ^]:BracketRight 2:Digit2 1:Digit1 7:Digit7 Enter:Enter`));
  await page.getByRole('heading', { name: 'GS1 parts' }).waitFor();
  await take('scanner-gs1');
  // The keys of a scanner as a German layout interprets them.
  await page.evaluate(typing('a:KeyA Y:KeyZ ß:Minus q:KeyQ Enter:Enter'));
  await page.getByText('Does not match the scanner').waitFor();
  await take('scanner-layout');
  await page.setViewportSize({ width: 390, height: 844 });
  await take('scanner-phone');
  await page.getByRole('heading', { name: 'Last scan' }).scrollIntoViewIfNeeded();
  await take('scanner-phone-result');
  if (size !== null) await page.setViewportSize(size);
}

function codeOf(key: string): string {
  if (key === ']') return 'BracketRight';
  return /\d/.test(key) ? `Digit${key}` : `Key${key}`;
}
