import * as fc from '../helpers/fastCheck.ts';
import { describe, expect, test } from 'vitest';
import { ARROWS } from '#shared/screen/content.ts';
import { decodePayload } from '../../electron/server/turbo/frames/protocol/codec.ts';
import {
  createFrameWriter,
  encodeFrame,
  FrameParser,
  MAX_PAYLOAD_BYTES,
} from '../../electron/server/turbo/frames/protocol/frame.ts';
import {
  ACK_STATUSES,
  type Body,
  type Message,
  type MessageName,
} from '../../electron/server/turbo/frames/protocol/messages.ts';
import { Reader } from '../../electron/server/turbo/frames/protocol/wire.ts';

const u8 = fc.integer({ min: 0, max: 0xff });
const u16 = fc.integer({ min: 0, max: 0xffff });
const u32 = fc.integer({ min: 0, max: 0xffffffff });
const ageMs = u32;
const text = fc.string({ unit: 'binary', maxLength: 60 });
const device = fc
  .tuple(fc.integer({ min: 0, max: 0xffffff }), fc.integer({ min: 0, max: 0xffffff }))
  .map((halves) => halves.map((half) => half.toString(16).toUpperCase().padStart(6, '0')).join(':'));
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined });

const screen: fc.Arbitrary<Body<'show'>['screen']> = fc.oneof(
  fc.record({ form: fc.constant('same' as const) }),
  fc.record({
    form: fc.constant('fields' as const),
    label: text,
    lines: fc.array(text, { maxLength: 5 }),
    quantity: maybe(u32),
    arrow: maybe(fc.constantFrom(...ARROWS)),
    barcode: text,
    qrcode: text,
    icon: text,
  }),
  fc.record({
    form: fc.constant('bitmap' as const),
    packing: fc.constantFrom('raw' as const, 'packBits' as const),
    pixels: fc.uint8Array({ maxLength: 4_736 }),
  }),
);

const bodies: { [N in MessageName]: fc.Arbitrary<Body<N>> } = {
  hello: fc.record({
    protocol: u8,
    serialNumber: text,
    name: text,
    firmware: u16,
    bootId: u32,
    uptimeS: u32,
    window: u8,
    username: fc.option(text, { nil: undefined }),
    secret: fc.option(text, { nil: undefined }),
    software: fc.option(text, { nil: undefined }),
    updateNonce: fc.option(fc.uint8Array({ maxLength: 16 }), { nil: undefined }),
  }),
  welcome: fc.record({
    protocol: u8,
    status: fc.constantFrom('accepted' as const, 'wrongVersion' as const, 'refused' as const, 'notSignedIn' as const),
    sessionId: u32,
    heartbeatMs: u16,
    window: u8,
  }),
  heartbeat: fc.record({ uptimeS: u32 }),
  ack: fc.record({ status: fc.constantFrom(...ACK_STATUSES) }),
  show: fc.record({
    device,
    token: u32,
    checksum: u32,
    seconds: u32,
    quantity: maybe(u32),
    led: fc.constantFrom('off' as const, 'steady' as const, 'blink' as const),
    color: fc.integer({ min: 0, max: 0xffffff }),
    brightness: u8,
    fixedBrightness: fc.boolean(),
    sound: text,
    screen,
  }),
  shown: fc.record({ device, token: u32, checksum: u32, ageMs }),
  button: fc.record({
    device,
    epoch: u32,
    counter: u32,
    token: u32,
    button: fc.constantFrom('front' as const, 'plus' as const, 'minus' as const),
    hold: fc.constantFrom('short' as const, 'long' as const),
    ageMs,
    quantity: maybe(u32),
    sinceMs: maybe(u32),
  }),
  ended: fc.record({ device, epoch: u32, counter: u32, token: u32, ageMs, quantity: maybe(u32) }),
  keep: fc.record({ device, checksum: u32, screen }),
  deviceStatus: fc.record({
    device,
    epoch: u32,
    firmware: u16,
    buttons: fc.constantFrom(1 as const, 3 as const),
    capabilities: u8,
    batteryMv: u16,
    rssiDbm: fc.integer({ min: -128, max: 127 }),
    uptimeS: u32,
    shownToken: u32,
    shownChecksum: maybe(u32),
    remainingMs: maybe(u32),
    reachable: fc.boolean(),
    pendingToken: maybe(u32),
    pendingChecksum: maybe(u32),
    backgroundChecksum: maybe(u32),
  }),
  sync: fc.constant({}),
  synced: fc.record({ devices: u16 }),
  update: fc.record({
    step: fc.constantFrom('begin' as const, 'switch' as const, 'cancel' as const),
    bytes: u32,
    files: u16,
    hash: fc.uint8Array({ maxLength: 32 }),
    tag: fc.option(fc.uint8Array({ maxLength: 32 }), { nil: undefined }),
  }),
  updatePart: fc.record({
    path: text,
    at: u32,
    data: fc.uint8Array({ maxLength: 1_024 }),
    hash: fc.option(fc.uint8Array({ maxLength: 32 }), { nil: undefined }),
  }),
};

export const anyMessage = fc.oneof(
  ...Object.entries(bodies).map(([name, body]) =>
    (body as fc.Arbitrary<object>).map((made) => ({ name, body: made }) as Message),
  ),
);

describe('any message', () => {
  test('is decoded from its frame unchanged, with its sequence number and direction', () => {
    const scratch = createFrameWriter();
    fc.assert(
      fc.property(anyMessage, u16, fc.boolean(), (message, seq, reply) => {
        const received: unknown[] = [];
        const parser = new FrameParser({
          frame: (type, flags, number, payload) => received.push([decodePayload(type, payload), flags, number]),
          junk: (count) => received.push(`${count} bytes of junk`),
        });
        parser.push(encodeFrame(scratch, message, seq, reply), 0);
        expect(received).toEqual([[message, reply ? 1 : 0, seq]]);
      }),
    );
  });
});

test('decoding any bytes never throws', () => {
  fc.assert(
    fc.property(u8, fc.uint8Array({ maxLength: 200 }), (id, bytes) => {
      const decoded = decodePayload(id, new Reader().over(Buffer.from(bytes), 0, bytes.length));
      expect(['object', 'string']).toContain(typeof decoded);
    }),
    { numRuns: 1_000 },
  );
});

test('the longest show fits one frame', () => {
  const long = '€'.repeat(300);
  const fields = {
    form: 'fields',
    label: long,
    lines: [long, long, long, long, long],
    quantity: 1,
    arrow: 'left',
    barcode: long,
    qrcode: long,
    icon: long,
  } as const;
  const bitmap = { form: 'bitmap', packing: 'raw', pixels: new Uint8Array(4_736) } as const;
  for (const form of [fields, bitmap]) {
    const body: Body<'show'> = {
      device: '51D000:000001',
      token: 1,
      checksum: 1,
      seconds: 1,
      quantity: 1,
      led: 'off',
      color: 0,
      brightness: 0,
      fixedBrightness: false,
      sound: 'x'.repeat(3_000),
      screen: form,
    };
    expect(encodeFrame(createFrameWriter(), { name: 'show', body }, 0, false).length).toBeLessThan(MAX_PAYLOAD_BYTES);
  }
});
