import { crc32 } from 'node:zlib';
import type { ScreenContent } from '#shared/screen/content.ts';
import { bitmapToRgba, drawScreen } from '#shared/screen/raster.ts';
import { DRAWING_RULES } from '../controllers/shownContent.ts';
import type { TagType } from './accessPointAnswers.ts';

/** JPEG quality. At a lower quality, pixels could turn gray. */
const QUALITY = 100;
const BLACK_ON_WHITE = { ink: [0, 0, 0], paper: [255, 255, 255] } as const;

/** An image for a tag. Equal images have equal ids. */
export type TagPicture = { id: number; jpeg: Uint8Array };

/** Draws the content as a baseline JPEG with exactly the tag's pixels. */
export async function drawTagPicture(
  content: ScreenContent,
  { width, height }: Pick<TagType, 'width' | 'height'>,
  batteryMv: number,
): Promise<TagPicture> {
  const bitmap = drawScreen(content, {
    firmware: DRAWING_RULES,
    batteryMv: batteryMv === 0 ? null : batteryMv,
    size: { width, height },
  });
  // Loaded with the first picture, because most stations never need its 18 MB.
  const { createCanvas } = await import('@napi-rs/canvas');
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  const image = context.createImageData(width, height);
  image.data.set(bitmapToRgba(bitmap, BLACK_ON_WHITE));
  context.putImageData(image, 0, 0);
  return { id: crc32(bitmap.bytes), jpeg: await canvas.encode('jpeg', QUALITY) };
}
