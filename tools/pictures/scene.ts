import type { BrowserContext, Page } from 'playwright-core';
import type { PictureShop } from './shop.ts';

/** What is photographed, and how. */
export type Scene = {
  shop: PictureShop;
  page: Page;
  context: BrowserContext;
  /** A window of somebody who is not signed in. */
  stranger: Page;
  take(name: string, of?: Page): Promise<void>;
};

export async function canvasesDrawn(page: Page): Promise<void> {
  await page.locator('canvas').nth(3).waitFor({ state: 'attached' });
}
