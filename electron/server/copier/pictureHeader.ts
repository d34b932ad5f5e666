import { MAX_PICTURE_MEGAPIXELS } from '#shared/lib/articles/articleLimits.ts';
import { StationError } from '../errors.ts';

/**
 * Properties of a picture, read from its bytes. `turn` is the EXIF orientation from 1 to 8 that the decoder does not apply itself. If
 * `isOpaque`, the picture has no transparent pixels, so a transparent pixel after decoding means missing data.
 */
export type PictureHeader = { width: number; height: number; turn: number; isOpaque: boolean };

const REMEDY = 'Save it as JPEG, PNG or WebP, and send that file.';
const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const ORIENTATION_TAG = 0x0112;
/** The highest PNG color type without an alpha channel: gray, color and palette are 0 to 3. */
const OPAQUE_COLOR_TYPES = 3;
const START_OF_SCAN = 0xda;
const END_OF_IMAGE = Buffer.from([0xff, 0xd9]);

/** Other file types, recognized by their first bytes, so that the error message can name them. */
const OTHER_KINDS: readonly (readonly [name: string, is: (head: string) => boolean])[] = [
  ['an empty file', (head) => head === ''],
  ['a GIF', (head) => /^GIF8[79]a/.test(head)],
  ['a HEIC picture', (head) => /^....ftyp(?:hei|hev|mif|msf)/s.test(head)],
  ['an AVIF picture', (head) => /^....ftyp(?:avif|avis)/s.test(head)],
  ['a BMP picture', (head) => head.startsWith('BM')],
  ['a TIFF picture', (head) => head.startsWith('II*\0') || head.startsWith('MM\0*')],
  ['a PDF', (head) => head.startsWith('%PDF')],
  ['an SVG drawing', (head) => /<svg[\s>]/i.test(head)],
  ['a form', (head) => /^--\S+\r\nContent-Disposition:/i.test(head)],
];

/**
 * Reads the type and size of a picture from its bytes, without decoding it. Throws `unsupported_media_type` for other files, and for
 * pictures that are too large or incomplete.
 */
export function readPictureHeader(bytes: Buffer): PictureHeader {
  const read = readers.find(([is]) => is(bytes))?.[1];
  if (read === undefined) throw refused(`The file is ${kindOf(bytes)}, which is not supported. ${REMEDY}`);
  const header = readWithin(() => read(bytes));
  if (header === undefined || header.width < 1 || header.height < 1)
    throw refused('The picture is incomplete or damaged. Save it again, and send that file.');
  const { width, height } = header;
  if (width * height > MAX_PICTURE_MEGAPIXELS * 1_000_000) {
    throw refused(
      `The picture has ${width} × ${height} pixels; at most ${MAX_PICTURE_MEGAPIXELS} megapixels are possible. Save it smaller: 640 pixels are enough.`,
    );
  }
  return header;
}

function refused(message: string): StationError {
  return new StationError('unsupported_media_type', message);
}

function kindOf(bytes: Buffer): string {
  const head = bytes.toString('latin1', 0, 1_024);
  const [name] = OTHER_KINDS.find(([, is]) => is(head)) ?? ['neither JPEG nor PNG nor WebP'];
  return name;
}

/** Runs `read`. Returns undefined if a length in the file points beyond its end. */
function readWithin(read: () => PictureHeader | undefined): PictureHeader | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

type Reader = (bytes: Buffer) => PictureHeader | undefined;

const readers: readonly (readonly [is: (bytes: Buffer) => boolean, read: Reader])[] = [
  [(bytes) => bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff, readJpeg],
  [(bytes) => bytes.subarray(0, 8).equals(PNG_SIGNATURE), readPng],
  [(bytes) => bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP', readWebp],
];

/** Reads the header of a JPEG file. Returns undefined if it has no frame header or no end marker. */
function readJpeg(bytes: Buffer): PictureHeader | undefined {
  let size: Pick<PictureHeader, 'width' | 'height'> | undefined;
  for (let at = 2; ;) {
    if (bytes.readUInt8(at) !== 0xff) return undefined;
    const marker = bytes.readUInt8(at + 1);
    // Skip fill bytes, and markers without content.
    if (marker === 0xff || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) {
      at += marker === 0xff ? 1 : 2;
      continue;
    }
    const length = bytes.readUInt16BE(at + 2);
    if (marker === START_OF_SCAN) {
      const isComplete = bytes.indexOf(END_OF_IMAGE, at + length) >= 0;
      return size === undefined || !isComplete ? undefined : { ...size, turn: 1, isOpaque: true };
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) size ??= { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    at += 2 + length;
  }
}

/** Reads the header of a PNG file. Returns undefined if there is no header chunk, and throws a RangeError if there is no end chunk. */
function readPng(bytes: Buffer): PictureHeader | undefined {
  if (bytes.toString('latin1', 12, 16) !== 'IHDR') return undefined;
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const colorType = bytes.readUInt8(25);
  let isOpaque = colorType <= OPAQUE_COLOR_TYPES;
  let turn = 1;
  for (let at = 8; ;) {
    const length = bytes.readUInt32BE(at);
    const name = bytes.toString('latin1', at + 4, at + 8);
    if (name === 'eXIf') turn = orientationIn(bytes.subarray(at + 8, at + 8 + length));
    if (name === 'tRNS') isOpaque = false;
    if (name === 'IEND') return { width, height, turn, isOpaque };
    at += 12 + length;
  }
}

/** Returns the orientation in EXIF data, or 1 if there is none. */
function orientationIn(exif: Buffer): number {
  try {
    const isLittle = exif.toString('latin1', 0, 2) === 'II';
    const short = (at: number): number => (isLittle ? exif.readUInt16LE(at) : exif.readUInt16BE(at));
    const start = isLittle ? exif.readUInt32LE(4) : exif.readUInt32BE(4);
    const entries = short(start);
    for (let entry = 0; entry < entries; entry += 1) {
      const at = start + 2 + entry * 12;
      if (short(at) !== ORIENTATION_TAG) continue;
      const turn = short(at + 8);
      return turn >= 1 && turn <= 8 ? turn : 1;
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return 1;
}

/** Reads the header of a WebP file. Returns undefined if the file is truncated or contains no picture. */
function readWebp(bytes: Buffer): PictureHeader | undefined {
  let size: Pick<PictureHeader, 'width' | 'height'> | undefined;
  let hasImage = false;
  let isOpaque = false;
  const end = 8 + bytes.readUInt32LE(4);
  if (end > bytes.length) return undefined;
  for (const { name, data } of webpParts(bytes)) {
    hasImage ||= IMAGE_PARTS.has(name);
    // A `VP8 ` chunk without a preceding VP8X chunk has no transparency.
    isOpaque ||= name === 'VP8 ' && size === undefined;
    size ??= WEBP_SIZES.get(name)?.(data);
  }
  return size === undefined || !hasImage ? undefined : { ...size, turn: 1, isOpaque };
}

const IMAGE_PARTS = new Set(['VP8 ', 'VP8L', 'ANMF']);

const WEBP_SIZES = new Map(
  Object.entries<(data: Buffer) => Pick<PictureHeader, 'width' | 'height'>>({
    VP8X: (data) => ({ width: data.readUIntLE(4, 3) + 1, height: data.readUIntLE(7, 3) + 1 }),
    'VP8 ': (data) => ({ width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff }),
    VP8L(data) {
      const bits = data.readUInt32LE(1);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    },
  }),
);

type WebpPart = { name: string; data: Buffer };

/** Lists the chunks of a WebP file. Throws a RangeError if a chunk is truncated. */
export function webpParts(bytes: Buffer): WebpPart[] {
  const parts: WebpPart[] = [];
  const end = Math.min(8 + bytes.readUInt32LE(4), bytes.length);
  for (let at = 12; at + 8 <= end;) {
    const length = bytes.readUInt32LE(at + 4);
    if (at + 8 + length > end) throw new RangeError('A part is cut off.');
    parts.push({ name: bytes.toString('latin1', at, at + 4), data: bytes.subarray(at + 8, at + 8 + length) });
    at += 8 + length + (length % 2);
  }
  return parts;
}
