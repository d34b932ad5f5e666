import { fieldsCodec, type Fields } from '../../electron/server/turbo/frames/protocol/fields.ts';
import { FLAG_REPLY } from '../../electron/server/turbo/frames/protocol/frame.ts';
import { MESSAGES, type MessageName } from '../../electron/server/turbo/frames/protocol/messages.ts';
import { Reader } from '../../electron/server/turbo/frames/protocol/wire.ts';
import session from './session.json' with { type: 'json' };

/** Captured frame between station and turbo. `ms` is the time since the link was opened. `frame` is in hexadecimal digits. */
export type CapturedFrame = { ms: number; from: 'turbo' | 'station'; frame: string };

const HEADER_BYTES = 10;
const CRC_BYTES = 4;
const BYTES_A_LINE = 12;
/** Width of the column with bytes, including some space after it. */
const BYTES_WIDTH = BYTES_A_LINE * 3 + 1;

/** Bytes of a frame and what they mean. */
type Part = { bytes: Buffer; says: string };

/** Describes a whole session, frame by frame, and explains every byte. */
export function capturedSession(): string[] {
  const frames = session as CapturedFrame[];
  return [
    '## A session, byte by byte',
    '',
    'A simulated turbo with one device connects; the device gets its background, then a pick with a quantity of 3; a worker presses minus, then front.',
    'Headers are explained once. Acks whose bytes are missing are `ok` too.',
    '',
    ...frames.flatMap((captured, place) => explained(captured, frames.slice(0, place))),
  ];
}

function explained({ ms, from, frame }: CapturedFrame, before: readonly CapturedFrame[]): string[] {
  const bytes = Buffer.from(frame, 'hex');
  const name = nameOf(bytes);
  const to = from === 'turbo' ? 'station' : 'turbo';
  const title = `**${(ms / 1_000).toFixed(3)} s, ${from} to ${to}: \`${name}\`** seq ${bytes.readUInt16LE(4)}`;
  const known = name === 'ack' && before.some((other) => payloadOf(other) === payloadOf({ ms, from, frame }));
  if (known) return [title, ''];
  const parts = partsOf(bytes, name, before.length === 0);
  return [title, '', '```', ...parts.flatMap(lineOf), '```', ''];
}

function payloadOf({ frame }: CapturedFrame): string {
  const bytes = Buffer.from(frame, 'hex');
  return `${nameOf(bytes)} ${bytes.toString('hex', HEADER_BYTES, bytes.length - CRC_BYTES)}`;
}

function nameOf(bytes: Buffer): MessageName {
  const known = Object.entries(MESSAGES).find(([, { id }]) => id === bytes[2]);
  if (known === undefined) throw new TypeError(`No message has the id ${bytes[2]}.`);
  return known[0] as MessageName; // the table has no other keys
}

function partsOf(bytes: Buffer, name: MessageName, isFirst: boolean): Part[] {
  const end = bytes.length - CRC_BYTES;
  const length = end - HEADER_BYTES;
  return [
    ...(isFirst ? headerParts(bytes, name, length) : [{ bytes: bytes.subarray(0, HEADER_BYTES), says: 'header' }]),
    ...fieldParts(new Reader().over(bytes, HEADER_BYTES, end), MESSAGES[name].body),
    { bytes: bytes.subarray(end), says: 'CRC-32' },
  ];
}

function headerParts(bytes: Buffer, name: MessageName, length: number): Part[] {
  const isReply = ((bytes[3] ?? 0) & FLAG_REPLY) !== 0;
  return [
    { bytes: bytes.subarray(0, 2), says: 'a frame begins' },
    { bytes: bytes.subarray(2, 3), says: `type: ${name}` },
    { bytes: bytes.subarray(3, 4), says: `flags: ${isReply ? 'a reply' : 'a request'}` },
    { bytes: bytes.subarray(4, 6), says: `seq ${bytes.readUInt16LE(4)}` },
    { bytes: bytes.subarray(6, 8), says: `length ${length}` },
    { bytes: bytes.subarray(8, 10), says: 'header check' },
  ];
}

/** Returns the fields in a body, including those of a variant. */
function fieldParts(from: Reader, fields: Fields, prefix = ''): Part[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const start = from.position;
    if (field.variants === undefined) {
      const { value } = fieldsCodec({ value: field }).read(from);
      return [{ bytes: from.bytes.subarray(start, from.position), says: `${prefix}${name}: ${written(value)}` }];
    }
    const [form, inner] = Object.entries(field.variants)[from.u8()] ?? ['', {}];
    const head = { bytes: from.bytes.subarray(start, from.position), says: `${prefix}${name}: ${form}` };
    return [head, ...fieldParts(from, inner, `${name} ${form}, `)];
  });
}

function written(value: unknown): string {
  if (value === undefined) return 'absent';
  if (value instanceof Uint8Array) return `${value.length} bytes`;
  return JSON.stringify(value);
}

function lineOf({ bytes, says }: Part): string[] {
  if (bytes.length === 0) return [`${''.padEnd(BYTES_WIDTH)}${says} (left out)`];
  return hexLines(bytes).map((line, place) => (place === 0 ? `${line.padEnd(BYTES_WIDTH)}${says}` : line));
}

function hexLines(bytes: Buffer): string[] {
  const pairs = bytes.toString('hex').match(/../g) ?? [];
  return Array.from({ length: Math.ceil(pairs.length / BYTES_A_LINE) }, (_, line) =>
    pairs.slice(line * BYTES_A_LINE, (line + 1) * BYTES_A_LINE).join(' '),
  );
}
