import { SCREEN_HEIGHT, SCREEN_WIDTH } from '#shared/screen/content.ts';
import type { ScreenSize } from '#shared/screen/panel.ts';

/** Whether a screen has the usual 296 x 128 pixels. */
export function isUsual({ width, height }: ScreenSize): boolean {
  return width === SCREEN_WIDTH && height === SCREEN_HEIGHT;
}
