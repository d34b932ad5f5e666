import type { BrowserContext, Page } from 'playwright-core';
import type { PictureShop } from './shop.ts';

/** What the functions that take screenshots need. */
export type Scene = {
  shop: PictureShop;
  page: Page;
  context: BrowserContext;
  /** A window in which nobody is signed in. */
  stranger: Page;
  take(name: string, of?: Page): Promise<void>;
};

export async function canvasesDrawn(page: Page): Promise<void> {
  await page.locator('canvas').nth(3).waitFor({ state: 'attached' });
}
