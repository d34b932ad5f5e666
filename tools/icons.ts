/**
 * Draws the icons of the program and the tray from the logo: `node tools/icons.ts`. Writes PNGs in all sizes, and from the same PNGs the
 * .ico for Windows and the .icns for macOS.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCanvas, loadImage } from '@napi-rs/canvas';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'resources', 'icons');
const mark = readFileSync(join(root, 'renderer', 'src', 'kit', 'mark.svg'), 'utf8');

const SIZES = [16, 24, 32, 48, 64, 128, 256, 512, 1024] as const;
const ICO_SIZES = [16, 24, 32, 48, 64, 128, 256] as const;
/** Apple's types of PNG entries, with their sizes in pixels. */
const ICNS_TYPES = [
  ['icp4', 16],
  ['icp5', 32],
  ['icp6', 64],
  ['ic07', 128],
  ['ic08', 256],
  ['ic09', 512],
  ['ic10', 1024],
] as const;
/** The logo's label and LED in black. macOS gives the tray icon the color of the menu bar. */
const TEMPLATE = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="4 6 24 20">
  <path fill-rule="evenodd" d="M8.7 8h8.1a2.2 2.2 0 0 1 2.2 2.2v11.6a2.2 2.2 0 0 1-2.2 2.2H8.7a2.2 2.2 0 0 1-2.2-2.2V10.2A2.2 2.2 0 0 1 8.7 8zm.1 3.7v1.8h7.9v-1.8zm0 3.4v1.8h5.8v-1.8zm0 3.4v1.8h7.9v-1.8z" />
  <circle cx="24" cy="16" r="3.1" />
</svg>`;
const LIT = mark.replace(/(<circle [^>]*fill=")[^"]*/, '$1#27d367');
if (LIT === mark) throw new Error('The mark has no LED to light.');

async function draw(svg: string, size: number): Promise<Buffer> {
  const image = await loadImage(Buffer.from(svg.replace('<svg ', `<svg width="${size}" height="${size}" `)));
  const canvas = createCanvas(size, size);
  canvas.getContext('2d').drawImage(image, 0, 0, size, size);
  return canvas.encode('png');
}

/** Builds an .ico file with whole PNGs as its images, which Windows supports since Vista. */
function ico(images: readonly { size: number; png: Buffer }[]): Buffer {
  const head = Buffer.alloc(6 + 16 * images.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(images.length, 4);
  let offset = head.length;
  for (const [place, { size, png }] of images.entries()) {
    const at = 6 + 16 * place;
    // 0 means 256.
    head.writeUInt8(size % 256, at);
    head.writeUInt8(size % 256, at + 1);
    head.writeUInt16LE(1, at + 4);
    head.writeUInt16LE(32, at + 6);
    head.writeUInt32LE(png.length, at + 8);
    head.writeUInt32LE(offset, at + 12);
    offset += png.length;
  }
  return Buffer.concat([head, ...images.map(({ png }) => png)]);
}

function icns(images: readonly { type: string; png: Buffer }[]): Buffer {
  const entries = images.map(({ type, png }) => entry(type, png));
  return entry('icns', Buffer.concat(entries));
}

function entry(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 'ascii');
  head.writeUInt32BE(head.length + body.length, 4);
  return Buffer.concat([head, body]);
}

mkdirSync(folder, { recursive: true });
const drawn = new Map<number, Buffer>();
for (const size of SIZES) drawn.set(size, await draw(mark, size));

function sized(size: number): Buffer {
  const png = drawn.get(size);
  if (png === undefined) throw new Error(`No icon of ${size} pixels was drawn.`);
  return png;
}

for (const size of SIZES) writeFileSync(join(folder, `${size}.png`), sized(size));
writeFileSync(join(folder, 'icon.ico'), ico(ICO_SIZES.map((size) => ({ size, png: sized(size) }))));
writeFileSync(join(folder, 'icon.icns'), icns(ICNS_TYPES.map(([type, size]) => ({ type, png: sized(size) }))));
for (const [name, svg, size] of [
  ['tray', mark, 16],
  ['tray-lit', LIT, 16],
  ['trayTemplate', TEMPLATE, 18],
] as const) {
  writeFileSync(join(folder, `${name}.png`), await draw(svg, size));
  writeFileSync(join(folder, `${name}@2x.png`), await draw(svg, 2 * size));
}
