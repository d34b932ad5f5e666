import type { Scene } from './scene.ts';

const SIZES = {
  monitor: { width: 1_280, height: 800 },
  tablet: { width: 1_024, height: 768 },
  phone: { width: 390, height: 844 },
};

/** Takes screenshots of the tour, from the demo order to the end. The tour must already be open. */
export async function tour({ page, take }: Scene): Promise<void> {
  const before = page.viewportSize();
  const everywhere = async (name: string): Promise<void> => {
    for (const [size, viewport] of Object.entries(SIZES)) {
      await page.setViewportSize(viewport);
      await take(`tour-${name}-${size}`);
    }
    await page.setViewportSize(SIZES.monitor);
  };
  const strip = page.getByRole('complementary', { name: 'Tour' });
  await page.setViewportSize(SIZES.monitor);
  // Check first, because a fast computer may complete this step before the picture is taken.
  if (await strip.getByText(/receives its picture/).isVisible()) await everywhere('0-drawing');
  await strip.getByText(/lights .* press its button/).waitFor();
  await everywhere('1-shelf');
  await strip.getByRole('button', { name: /^Front button of A-4-2/ }).click();
  await strip.getByText(/press Picked/).waitFor();
  await everywhere('2-here');
  await page.locator('button:not([data-inert])', { hasText: /^Picked/ }).click();
  await strip.getByText(/both record the same pick/).waitFor();
  await everywhere('3-either');
  await strip.getByRole('button', { name: /^Front button of A-3-2/ }).click();
  await strip.getByText(/is the last one/).waitFor();
  await everywhere('4-colleague');
  await strip.getByText(/the order is complete/).waitFor();
  await everywhere('5-done');
  await strip.getByRole('button', { name: 'Close the tour' }).click();
  if (before !== null) await page.setViewportSize(before);
}
