import { crc32 } from 'node:zlib';
import { createCanvas, loadImage } from '@napi-rs/canvas';

/** Returns a picture whose left half is red and whose right half is blue. */
export function halves(type: 'jpeg' | 'png' | 'webp', width = 40, height = 20): Buffer {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  context.fillStyle = '#ff0000';
  context.fillRect(0, 0, width / 2, height);
  context.fillStyle = '#0000ff';
  context.fillRect(width / 2, 0, width / 2, height);
  return type === 'png' ? canvas.encodeSync('png') : canvas.encodeSync(type, 95);
}

/** Returns a square PNG of noise, which hardly compresses. */
export function noise(pixels: number): Buffer {
  const canvas = createCanvas(pixels, pixels);
  const context = canvas.getContext('2d');
  const image = context.createImageData(pixels, pixels);
  let seed = 1;
  for (let index = 0; index < image.data.length; index += 1) {
    seed = (seed * 48_271) % 0x7fff_ffff;
    image.data[index] = index % 4 === 3 ? 255 : seed % 256;
  }
  context.putImageData(image, 0, 0);
  return canvas.encodeSync('png');
}

/** Adds an EXIF orientation and a text to the metadata of a JPEG or PNG. */
export function turned(picture: Buffer, turn: number, secret = 'GPS 52.5'): Buffer {
  const exif = Buffer.from('49492a0008000000010012010300010000000600000000000000', 'hex');
  exif[18] = turn;
  const data = Buffer.concat([exif, Buffer.from(secret)]);
  if (picture[0] === 0xff) {
    const head = Buffer.from([0xff, 0xe1, 0, 0]);
    head.writeUInt16BE(8 + data.length, 2);
    return Buffer.concat([picture.subarray(0, 2), head, Buffer.from('Exif\0\0'), data, picture.subarray(2)]);
  }
  // Insert the EXIF chunk after the signature and the header.
  return Buffer.concat([picture.subarray(0, 33), pngChunk('eXIf', data), picture.subarray(33)]);
}

/** Returns a PNG whose header claims this size, independently of the content. */
export function claiming(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  header[9] = 2;
  const png = halves('png');
  return Buffer.concat([png.subarray(0, 8), pngChunk('IHDR', header), png.subarray(33)]);
}

function pngChunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** Returns the size of a picture and the colors (red or blue) of its top left and bottom right corners. */
export async function seen(bytes: Uint8Array): Promise<{ width: number; height: number; corners: string }> {
  const image = await loadImage(Buffer.from(bytes));
  const { width, height } = image;
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  context.drawImage(image, 0, 0);
  const colorAt = (x: number, y: number): string => {
    const [red = 0, , blue = 0] = context.getImageData(x, y, 1, 1).data;
    return red > blue ? 'red' : 'blue';
  };
  return { width, height, corners: `${colorAt(1, 1)} ${colorAt(width - 2, height - 2)}` };
}
