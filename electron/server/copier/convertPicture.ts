import type { Canvas, createCanvas as CreateCanvas, Image } from '@napi-rs/canvas';
import { MAX_STORED_PICTURE_BYTES, PICTURE_PIXELS, SMALL_PICTURE_PIXELS } from '#shared/lib/articles/articleLimits.ts';
import { StationError } from '../errors.ts';
import { readPictureHeader, webpParts } from './pictureHeader.ts';

/** A WebP picture without metadata, and a small version for lists. */
export type ConvertedPicture = { content: Buffer; small: Buffer };

/** Qualities, tried in this order until the file is small enough. After the last one, the picture gets fewer pixels. */
const QUALITIES = [82, 65, 45] as const;
const FEWER_PIXELS = 0.7;

/** WebP chunks that contain the picture itself, without its metadata. */
const KEPT_PARTS = new Set(['VP8X', 'VP8 ', 'VP8L', 'ALPH']);
const ALPHA_FLAG = 0x10;

/**
 * Converts an untrusted picture. Call only in a side process, because decoding can take seconds and much memory. Throws
 * `unsupported_media_type` if the picture cannot be decoded.
 */
export async function convertPicture(bytes: Buffer): Promise<ConvertedPicture> {
  const { turn, isOpaque } = readPictureHeader(bytes);
  const library = await import('@napi-rs/canvas');
  const image = new library.Image();
  try {
    image.src = bytes;
    await image.decode();
  } catch {
    throw damaged();
  }
  const drawn = (pixels: number): Canvas => draw(library, image, { turn, pixels });
  // The decoder leaves missing parts transparent instead of failing.
  if (isOpaque && hasHoles(drawn(SMALL_PICTURE_PIXELS))) throw damaged();
  return { content: await encode(drawn), small: stripped(await drawn(SMALL_PICTURE_PIXELS).encode('webp', 80)) };
}

function damaged(): StationError {
  return new StationError(
    'unsupported_media_type',
    'The picture is damaged and cannot be decoded. Save it again, and send that file.',
  );
}

function hasHoles(canvas: Canvas): boolean {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  // Every fourth byte is the alpha value. Scaled edges are nearly opaque.
  return data.some((byte, index) => index % 4 === 3 && byte < 128);
}

async function encode(drawn: (pixels: number) => Canvas): Promise<Buffer> {
  for (let pixels = PICTURE_PIXELS; ; pixels *= FEWER_PIXELS) {
    const canvas = drawn(Math.round(pixels));
    for (const quality of QUALITIES) {
      const encoded = stripped(await canvas.encode('webp', quality));
      if (encoded.length <= MAX_STORED_PICTURE_BYTES) return encoded;
    }
  }
}

/** Draws a picture upright, with at most `pixels` on its longer side. Never enlarges the picture. */
function draw(
  { createCanvas }: { createCanvas: typeof CreateCanvas },
  image: Image,
  { turn, pixels }: { turn: number; pixels: number },
): Canvas {
  const scale = Math.min(1, pixels / Math.max(image.width, image.height));
  const width = Math.max(1, Math.round(image.width * scale));
  const height = Math.max(1, Math.round(image.height * scale));
  const isTurned = turn > 4;
  const canvas = isTurned ? createCanvas(height, width) : createCanvas(width, height);
  const context = canvas.getContext('2d');
  context.imageSmoothingQuality = 'high';
  const [a, b, c, d, e, f] = matrixOf(turn, width, height);
  context.setTransform(a, b, c, d, e, f);
  context.drawImage(image, 0, 0, width, height);
  return canvas;
}

type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

/** Returns the transformation that turns a picture with this EXIF orientation upright. */
function matrixOf(turn: number, width: number, height: number): Matrix {
  const upright: Matrix = [1, 0, 0, 1, 0, 0];
  const others: Readonly<Record<number, Matrix>> = {
    2: [-1, 0, 0, 1, width, 0],
    3: [-1, 0, 0, -1, width, height],
    4: [1, 0, 0, -1, 0, height],
    5: [0, 1, 1, 0, 0, 0],
    6: [0, 1, -1, 0, height, 0],
    7: [0, -1, -1, 0, height, width],
    8: [0, -1, 1, 0, 0, width],
  };
  return others[turn] ?? upright;
}

/** Removes metadata and the color profile. Browsers display pictures without a profile in sRGB. */
function stripped(webp: Buffer): Buffer {
  const parts = webpParts(webp).filter(({ name }) => KEPT_PARTS.has(name));
  const written = parts.flatMap(({ name, data }) => {
    const head = Buffer.alloc(8);
    head.write(name, 'latin1');
    head.writeUInt32LE(data.length, 4);
    const content = name === 'VP8X' ? Buffer.from(data) : data;
    if (name === 'VP8X') content[0] = (content[0] ?? 0) & ALPHA_FLAG;
    return [head, content, Buffer.alloc(data.length % 2)];
  });
  const body = Buffer.concat(written);
  const head = Buffer.alloc(12);
  head.write('RIFF', 'latin1');
  head.writeUInt32LE(4 + body.length, 4);
  head.write('WEBP', 8, 'latin1');
  return Buffer.concat([head, body]);
}
