import type { BrowserContext, Page } from 'playwright-core';
import type { PictureShop } from './shop.ts';

/** Everything needed to photograph a scene. */
export type Scene = {
  shop: PictureShop;
  page: Page;
  context: BrowserContext;
  /** A window that is not signed in. */
  stranger: Page;
  take(name: string, of?: Page): Promise<void>;
};

export async function canvasesDrawn(page: Page): Promise<void> {
  await page.locator('canvas').nth(3).waitFor({ state: 'attached' });
}
