import { fieldsCodec, type Fields } from './fields.ts';
import { MESSAGES, type Message, type MessageName } from './messages.ts';
import type { Reader, ByteWriter } from './wire.ts';

const NAMES = Object.keys(MESSAGES) as MessageName[]; // the table has no other keys
const CODECS = NAMES.map((name) => {
  const body: Fields = MESSAGES[name].body;
  return { name, id: MESSAGES[name].id, fields: Object.entries(body), ...fieldsCodec(body) };
});
const WITH_SECRETS = new Set<number>(
  CODECS.filter(({ fields }) => fields.some(([, field]) => field.isSecret)).map(({ id }) => id),
);
const BY_ID = new Map(CODECS.map((codec) => [codec.id as number, codec]));
const BY_NAME = new Map(CODECS.map((codec) => [codec.name, codec]));

/** Writes the payload of a message and returns its id. */
export function encodePayload(out: ByteWriter, message: Message): number {
  const codec = BY_NAME.get(message.name);
  if (codec === undefined) throw new TypeError(`No message is named ${message.name}`);
  codec.write(out, message.body);
  return codec.id;
}

/**
 * Reads the payload of a message. Ignores bytes after the last known field, because newer turbos may send more. Never throws: returns
 * `unsupported` for an unknown id, and `malformed` for a payload that does not match the message definition.
 */
export function decodePayload(id: number, from: Reader): Message | 'unsupported' | 'malformed' {
  const codec = BY_ID.get(id);
  if (codec === undefined) return 'unsupported';
  const body = codec.read(from);
  // The row that read the body also names its type.
  return from.failed ? 'malformed' : ({ name: codec.name, body } as Message);
}

/** Whether messages with this id have a secret field. */
export function mayHoldSecret(id: number): boolean {
  return WITH_SECRETS.has(id);
}

/**
 * Returns the index in the payload where the first secret begins or may begin, or undefined if there is no secret. Everything from this
 * index on must be hidden, including the checksum, because a short secret could be guessed from it.
 */
export function findSecret(id: number, from: Reader): number | undefined {
  const row = BY_ID.get(id);
  if (row === undefined || !mayHoldSecret(id)) return undefined;
  const start = from.position;
  for (const [, field] of row.fields) {
    const place = from.position;
    const value = field.read(from);
    if (from.failed) return start;
    if (field.isSecret && (value !== undefined || !from.atEnd())) return place;
  }
  return undefined;
}

/** Returns the names of a message's secret fields. */
export function secretFields(name: MessageName): string[] {
  return (BY_NAME.get(name)?.fields ?? []).flatMap(([field, { isSecret }]) => (isSecret ? [field] : []));
}
