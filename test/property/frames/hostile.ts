import { crc32 } from 'node:zlib';
import { encodePayload } from '../../../electron/server/turbo/frames/protocol/codec.ts';
import { EXAMPLES } from '../../../electron/server/turbo/frames/protocol/examples.ts';
import { FLAG_REPLY, MAX_PAYLOAD_BYTES } from '../../../electron/server/turbo/frames/protocol/frame.ts';
import { MESSAGES, type Message, type MessageName } from '../../../electron/server/turbo/frames/protocol/messages.ts';
import { ByteWriter } from '../../../electron/server/turbo/frames/protocol/wire.ts';
import { createRandom, type Random } from '../model/random.ts';

/** The simulated devices. Half of the frames concern one of them. */
export const KNOWN_DEVICES = ['51D000:000001', '51D000:000002', '51D000:000003', '51D000:000004'] as const;
/** Number of unknown devices. It is small, so that the frames soon cover all of them. */
const STRANGERS = 64;
const HEADER_BYTES = 10;
const DEVICE_BYTES = 6;
const NAMES = Object.keys(MESSAGES) as MessageName[]; // the table has no other keys

/** A valid example of each message, and whether its first field is a DeviceID. */
const PAYLOADS = NAMES.map((name) => {
  const out = new ByteWriter(MAX_PAYLOAD_BYTES);
  const body = EXAMPLES[name];
  const id = encodePayload(out, { name, body } as Message);
  return { name, id, bytes: Buffer.from(out.bytes.subarray(0, out.position)), hasDevice: 'device' in body };
});

/** A frame before it is damaged. `fixed` is the number of leading payload bytes that stay unchanged. */
type Draft = { type: number; flags: number; seq: number; payload: Buffer; fixed: number };

/**
 * Kinds of damage, with their weights. Most frames keep valid checksums, because the parser drops all others.
 */
const DAMAGES: readonly { weight: number; bytes: (random: Random, draft: Draft) => Buffer }[] = [
  { weight: 3, bytes: (_random, draft) => sealed(draft) },
  { weight: 6, bytes: (random, draft) => sealed({ ...draft, payload: mutated(random, draft.payload, draft.fixed) }) },
  { weight: 1, bytes: (random, draft) => sealed({ ...draft, type: random.below(256), flags: random.below(256) }) },
  { weight: 2, bytes: (random, draft) => mutated(random, sealed(draft), 0) },
  // A wrong length with a matching header checksum.
  { weight: 1, bytes: (random, draft) => sealed(draft, random.below(0x10000)) },
  { weight: 1, bytes: (random) => noise(random) },
];
const CHOICES = DAMAGES.flatMap(({ weight, bytes }) => Array<typeof bytes>(weight).fill(bytes));

/** Generates an endless series of frames that no correct turbo or station sends. The seed determines the series. */
export function createHostileFrames(seed: number): () => Buffer {
  const random = createRandom(seed);
  return () => pick(random, CHOICES)(random, drafted(random));
}

function drafted(random: Random): Draft {
  const { name, id, bytes, hasDevice } = pick(random, PAYLOADS);
  const payload = Buffer.from(bytes);
  if (hasDevice) payload.set(deviceBytes(random), 0);
  const isReply = (MESSAGES[name].reply === undefined) !== random.chance(0.1);
  // Half of the numbers come from a small range, to match those of requests in progress.
  const seq = random.below(random.chance(0.5) ? 256 : 0x10000);
  return { type: id, flags: isReply ? FLAG_REPLY : 0, seq, payload, fixed: hasDevice ? DEVICE_BYTES : 0 };
}

function pick<T>(random: Random, choices: readonly T[]): T {
  return random.one(choices as readonly [T, ...T[]]); // none of the tables is empty
}

function deviceBytes(random: Random): Buffer {
  if (random.chance(0.8)) return Buffer.from(random.one(KNOWN_DEVICES).replace(':', ''), 'hex');
  return Buffer.from([0xff, 0xff, 0xff, 0, 0, random.below(STRANGERS)]);
}

/** Flips bits, or inserts, removes or repeats some bytes, after the first `fixed` bytes. */
function mutated(random: Random, bytes: Buffer, fixed: number): Buffer {
  let result = Buffer.from(bytes);
  const from = Math.min(fixed, result.length);
  for (let times = 1 + random.below(4); times > 0; times -= 1) {
    const at = from + random.below(Math.max(1, result.length - from));
    const [before, behind] = [result.subarray(0, at), result.subarray(at)];
    const change = random.below(6);
    if (change === 0) result = Buffer.from(before);
    else if (change === 1) result = Buffer.concat([before, randomBytes(random, 1 + random.below(300)), behind]);
    else if (change === 2) result = Buffer.concat([before, behind, before.subarray(from)]);
    else if (at < result.length)
      result[at] = change === 3 ? random.one([0, 1, 0x7f, 0x80, 0xff]) : (result[at] ?? 0) ^ (1 << random.below(8));
  }
  return result.subarray(0, MAX_PAYLOAD_BYTES);
}

/** Returns random bytes that often look like the start of a frame. */
function noise(random: Random): Buffer {
  const bytes = randomBytes(random, 1 + random.below(60));
  for (let at = 0; at + 1 < bytes.length; at += 1 + random.below(12)) bytes.writeUInt16BE(0xa55a, at);
  return bytes;
}

function randomBytes(random: Random, length: number): Buffer {
  return Buffer.from(Uint8Array.from({ length }, () => random.below(256)));
}

/**
 * Returns a frame with valid checksums, computed here rather than by the tested code. `length` may differ from the
 * payload's length.
 */
function sealed({ type, flags, seq, payload }: Draft, length = payload.length): Buffer {
  const frame = Buffer.alloc(HEADER_BYTES + payload.length + 4);
  frame.writeUInt16BE(0xa55a, 0);
  frame.writeUInt8(type, 2);
  frame.writeUInt8(flags, 3);
  frame.writeUInt16LE(seq, 4);
  frame.writeUInt16LE(length, 6);
  frame.writeUInt16LE(crc32(frame.subarray(2, 8)) & 0xffff, 8);
  frame.set(payload, HEADER_BYTES);
  const end = HEADER_BYTES + payload.length;
  frame.writeUInt32LE(crc32(frame.subarray(2, end)), end);
  return frame;
}
