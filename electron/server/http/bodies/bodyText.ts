import { isUtf8 } from 'node:buffer';
import { StationError } from '../../errors.ts';

/** Supported charsets, by lowercase name. */
const CHARSETS = new Map<string, Charset>([
  ['utf-8', 'UTF-8'],
  ['utf8', 'UTF-8'],
  ['us-ascii', 'UTF-8'],
  ['ascii', 'UTF-8'],
  ['iso-8859-1', 'ISO-8859-1'],
  ['iso8859-1', 'ISO-8859-1'],
  ['iso_8859-1', 'ISO-8859-1'],
  ['latin1', 'ISO-8859-1'],
  ['latin-1', 'ISO-8859-1'],
  ['windows-1252', 'windows-1252'],
  ['cp1252', 'windows-1252'],
  ['utf-16', 'UTF-16'],
  ['utf16', 'UTF-16'],
  ['utf-16le', 'UTF-16LE'],
  ['utf-16be', 'UTF-16BE'],
]);
export type Charset = 'UTF-8' | 'ISO-8859-1' | 'windows-1252' | 'UTF-16' | 'UTF-16LE' | 'UTF-16BE';

/** Bodies larger than this are not searched for the first invalid byte, because the search takes several decodings. */
const PLACED_BYTES = 256 * 1024;
/** Number of bytes to search for an XML encoding declaration. */
const DECLARATION_BYTES = 200;
/** Characters 0x80 to 0x9F: control characters in ISO-8859-1, which text never contains, and bytes without a meaning in windows-1252. */
const UNDEFINED = /[\u0080-\u009F]/;

const SUPPORTED = 'Send UTF-8, or declare ISO-8859-1, windows-1252 or UTF-16';

/** Returns the charset with this name, or undefined if it is not supported. */
export function charsetNamed(name: string): Charset | undefined {
  return CHARSETS.get(name.toLowerCase());
}

/** Returns the charset that a content type declares, if any. Throws `unsupported_media_type` if it is not supported. */
export function declaredCharset(contentType: string | undefined): Charset | undefined {
  if (contentType === undefined || !/charset/i.test(contentType)) return undefined;
  const name = /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(contentType)?.[1];
  if (name === undefined) return undefined;
  const charset = charsetNamed(name);
  if (charset !== undefined) return charset;
  throw new StationError(
    'unsupported_media_type',
    `The charset "${name.slice(0, 40)}" is not supported. ${SUPPORTED}.`,
  );
}

/**
 * Returns the charset of a body, as declared in the content type or, for XML, by the byte order mark or the XML declaration. The default is
 * UTF-8. Throws `unsupported_media_type` if the charset is not supported.
 */
export function charsetOf(
  bytes: Uint8Array,
  contentType: string | undefined,
  format: 'json' | 'xml' | 'form',
): Charset {
  const declared = declaredCharset(contentType);
  if (declared !== undefined || format !== 'xml') return declared ?? 'UTF-8';
  if (byteOrderOf(bytes) !== undefined) return 'UTF-16';
  const beginning = Buffer.from(bytes.subarray(0, DECLARATION_BYTES)).toString('latin1');
  const name = /^(?:\u00EF\u00BB\u00BF)?<\?xml[^>]*?\sencoding\s*=\s*["']([^"'>]*)/.exec(beginning)?.[1];
  if (name === undefined) return 'UTF-8';
  const charset = charsetNamed(name);
  if (charset !== undefined) return charset;
  throw new StationError(
    'unsupported_media_type',
    `The XML declares the encoding ${name.slice(0, 40)}, which is not supported. ${SUPPORTED}.`,
  );
}

/** Decodes a body without loss, except for the byte order mark. Throws `encoding` if the bytes do not fit the charset. */
export function bodyText(bytes: Buffer, charset: Charset): string {
  if (charset === 'UTF-8') {
    if (!isUtf8(bytes)) throw misfit(bytes, charset);
    const text = bytes.toString('utf8');
    return text.startsWith('\ufeff') ? text.slice(1) : text;
  }
  const isSingle = charset === 'ISO-8859-1' || charset === 'windows-1252';
  const isControl = charset === 'ISO-8859-1' && bytes.some((byte) => byte >= 0x80 && byte <= 0x9f);
  const text = isControl ? undefined : decoded(bytes, charset);
  if (text === undefined || (isSingle && UNDEFINED.test(text))) throw misfit(bytes, charset);
  return text;
}

function decoded(bytes: Buffer, charset: Charset): string | undefined {
  try {
    return new TextDecoder(decoderFor(bytes, charset), { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Returns the label for TextDecoder. ISO-8859-1 is decoded as windows-1252, which has the same printable characters. */
function decoderFor(bytes: Uint8Array, charset: Charset): string {
  if (charset === 'ISO-8859-1') return 'windows-1252';
  return charset === 'UTF-16' ? (byteOrderOf(bytes) ?? unmarkedOrder(bytes)) : charset.toLowerCase();
}

function byteOrderOf([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

/** Returns the byte order of UTF-16 text without a mark, assuming that the text begins with an ASCII character, as JSON and XML do. */
function unmarkedOrder([first]: Uint8Array): 'utf-16le' | 'utf-16be' {
  return first === 0 ? 'utf-16be' : 'utf-16le';
}

function misfit(bytes: Buffer, charset: Charset): StationError {
  const isDeclared = charset !== 'UTF-8' || bytes.length > PLACED_BYTES;
  const where = isDeclared ? ': some of its bytes are not' : `: ${placeOf(bytes)}`;
  return new StationError(
    'encoding',
    `The body is not ${charset}${where}. Encode it as UTF-8, or declare the charset that it has in the header content-type, such as "application/json; charset=windows-1252".`,
  );
}

/** Describes the position of the first byte that is not UTF-8. */
function placeOf(bytes: Buffer): string {
  let from = 0;
  let to = bytes.length;
  // Invariant: the bytes before `from` are UTF-8, possibly with an incomplete character at the end.
  while (to - from > 1) {
    const middle = Math.floor((from + to) / 2);
    if (isCutUtf8(bytes.subarray(0, middle))) from = middle;
    else to = middle;
  }
  const at = Math.max(0, to - 1);
  return `byte ${at + 1} is 0x${(bytes[at] ?? 0).toString(16).padStart(2, '0').toUpperCase()}`;
}

function isCutUtf8(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
