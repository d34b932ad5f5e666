import { PNG } from 'pngjs';

/** The pixels of a screen, a character each, `#` for ink: 296 x 128 of them, row by row. */
export type Pixels = string;

/** A PNG of a screen, read by a decoder that the station does not have. Throws on another size and on a colour between ink and paper. */
export function pngPixels(png: Uint8Array): Pixels {
  const { width, height, data } = PNG.sync.read(Buffer.from(png));
  if (width !== 296 || height !== 128) throw new Error(`The picture has ${width} x ${height} pixels.`);
  const colors = new Set<number>();
  let pixels = '';
  for (let at = 0; at < data.length; at += 4) {
    colors.add(data.readUInt32BE(at));
    pixels += (data[at] ?? 0) < 128 ? '#' : '.';
  }
  if (colors.size > 2) throw new Error(`The picture has ${colors.size} colours.`);
  return pixels;
}

/** A bitmap as it is sent: 37 bytes a row, the most significant bit is the leftmost pixel, 1 is ink. */
export function bitmapPixels(bytes: Uint8Array): Pixels {
  return Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0'))
    .join('')
    .replaceAll('1', '#')
    .replaceAll('0', '.');
}
