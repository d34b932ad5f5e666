import { bitmapToRgba, type Bitmap } from '#shared/screen/raster.ts';

const INK = [18, 22, 28] as const;
const PAPER = [245, 244, 238] as const;

/** Encodes a screen as PNG, enlarged `scale` times. */
export async function screenImage(bitmap: Bitmap, scale: number): Promise<Uint8Array> {
  const { width, height } = bitmap;
  // Loaded with the first image, because most stations never need its 18 MB.
  const { createCanvas } = await import('@napi-rs/canvas');
  const screen = createCanvas(width, height);
  const context = screen.getContext('2d');
  const image = context.createImageData(width, height);
  image.data.set(bitmapToRgba(bitmap, { ink: INK, paper: PAPER }));
  context.putImageData(image, 0, 0);
  // Encoding runs on another thread, because a large image would delay presses too much.
  if (scale === 1) return screen.encode('png');
  const scaled = createCanvas(width * scale, height * scale);
  const target = scaled.getContext('2d');
  target.imageSmoothingEnabled = false;
  target.drawImage(screen, 0, 0, width * scale, height * scale);
  return scaled.encode('png');
}
