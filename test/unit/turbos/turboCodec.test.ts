import { describe, expect, test } from 'vitest';
import { decodePayload, encodePayload } from '../../../electron/server/turbo/frames/protocol/codec.ts';
import { EXAMPLES } from '../../../electron/server/turbo/frames/protocol/examples.ts';
import type { Field } from '../../../electron/server/turbo/frames/protocol/fields.ts';
import { MESSAGES, type Message } from '../../../electron/server/turbo/frames/protocol/messages.ts';
import { Reader, ByteWriter } from '../../../electron/server/turbo/frames/protocol/wire.ts';

const examples = Object.entries(EXAMPLES).map(([name, body]) => ({ name, body }) as Message);

function payloadOf(message: Message): { id: number; payload: Buffer } {
  const out = new ByteWriter(9_000);
  const id = encodePayload(out, message);
  return { id, payload: Buffer.from(out.bytes.subarray(0, out.position)) };
}

function decode(id: number, payload: Uint8Array): Message | 'unsupported' | 'malformed' {
  const bytes = Buffer.from(payload);
  return decodePayload(id, new Reader().over(bytes, 0, bytes.length));
}

describe.each(examples)('$name', (message) => {
  const { id, payload } = payloadOf(message);

  test('decodes to the message that was encoded', () => {
    expect(decode(id, payload)).toEqual(message);
  });

  test('is understood if a newer version adds bytes at its end', () => {
    // A newer turbo also sends the marks of absent added fields.
    const absent = Object.values<Field<unknown>>(MESSAGES[message.name].body).filter(({ isAdded }) => isAdded);
    const more = Buffer.concat([Buffer.alloc(absent.length), Buffer.from([1, 2, 3])]);
    expect(decode(id, Buffer.concat([payload, more]))).toEqual(message);
  });

  test('when truncated, is malformed or lacks optional values, and never throws', () => {
    for (let length = 0; length < payload.length; length++) {
      const decoded = decode(id, payload.subarray(0, length));
      if (decoded === 'malformed') continue;
      expect(decoded).toMatchObject({ name: message.name });
      // Only the marks of absent optional values can be cut off without changing the message.
      const saidSomething = payload.subarray(length).some((byte) => byte !== 0);
      if (saidSomething) expect(decoded).not.toEqual(message);
    }
  });
});

test('decodes the optional values at the end of a message, each with or without the next one', () => {
  const [nonce, answer] = [new Uint8Array(16).fill(7), Uint8Array.of(107, 101, 121)];
  const plain = payloadOf({ name: 'hello', body: EXAMPLES.hello }).payload;
  for (const added of [{ nonce }, { nonce, answer }, { answer }, { nonce, answer: new Uint8Array() }]) {
    const message: Message = { name: 'hello', body: { ...EXAMPLES.hello, ...added } };
    const { id, payload } = payloadOf(message);
    expect(decode(id, payload)).toEqual(message);
    expect(payload.subarray(0, plain.length)).toEqual(plain);
    expect(payload.length).toBeGreaterThan(plain.length);
  }
});

test('ids are unique and replies exist in the table', () => {
  const rows = Object.values(MESSAGES);
  expect(new Set(rows.map((row) => row.id)).size).toBe(rows.length);
  for (const { reply } of rows) if (reply !== undefined) expect(MESSAGES[reply].reply).toBeUndefined();
});

test('an id that is not in the table is unsupported', () => {
  expect(decode(0xee, new Uint8Array(20))).toBe('unsupported');
});

test('a word that is not in the list is malformed', () => {
  expect(decode(MESSAGES.ack.id, Buffer.from([200]))).toBe('malformed');
});

test('a screen form that is not in the table is malformed', () => {
  const { id, payload } = payloadOf({ name: 'show', body: { ...EXAMPLES.show, screen: { form: 'same' } } });
  payload[payload.length - 1] = 9;
  expect(decode(id, payload)).toBe('malformed');
});

test('a DeviceID takes six bytes and is decoded in upper case', () => {
  const { id, payload } = payloadOf({ name: 'shown', body: { ...EXAMPLES.shown, device: 'ffa00b:0000e7' } });
  expect(payload.subarray(0, 6).toString('hex')).toBe('ffa00b0000e7');
  expect(decode(id, payload)).toMatchObject({ body: { device: 'FFA00B:0000E7' } });
});

test('a number out of range is sent as the nearest in range', () => {
  const body = { ...EXAMPLES.deviceStatus, batteryMv: 70_000, rssiDbm: -200, uptimeS: -1, remainingMs: 2 ** 40 };
  const { id, payload } = payloadOf({ name: 'deviceStatus', body });
  expect(decode(id, payload)).toMatchObject({
    body: { batteryMv: 65_535, rssiDbm: -128, uptimeS: 0, remainingMs: 2 ** 32 - 1 },
  });
});

test('text over 255 bytes is cut between two characters', () => {
  const { id, payload } = payloadOf({ name: 'hello', body: { ...EXAMPLES.hello, name: `x${'€'.repeat(100)}` } });
  expect(decode(id, payload)).toMatchObject({ body: { name: `x${'€'.repeat(84)}`, firmware: 12 } });
});

test('a payload without its last byte is malformed, even if more bytes follow in memory', () => {
  const { id, payload } = payloadOf({ name: 'heartbeat', body: { uptimeS: 0x01020304 } });
  expect(decodePayload(id, new Reader().over(payload, 0, payload.length - 1))).toBe('malformed');
});

test('the mark of an absent value may be missing at the end', () => {
  const { id, payload } = payloadOf({ name: 'ended', body: EXAMPLES.ended });
  expect(decode(id, payload.subarray(0, -1))).toEqual({ name: 'ended', body: EXAMPLES.ended });
});
