import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { UpdateToSign } from '../../ports.ts';

/** Values of one sign-in that turbo and station both know. The nonces are random and used only once. */
export type Transcript = {
  serialNumber: string;
  username: string;
  turboNonce: Uint8Array;
  stationNonce: Uint8Array;
};

/** Length of a nonce in bytes. */
export const NONCE_BYTES = 16;
/** Maximum length of an answer in bytes. Keys are much shorter. */
const MAX_ANSWER_BYTES = 255;
/** Block number for the station's proof. A turbo masks its key with the blocks from 1. */
const STATION = 0;
/** Block number for update proofs. Sign-ins never reach it. */
const UPDATE = 255;

/** Returns the station's proof that it knows the Base64 hash of the turbo's key. See docs/decisions/0057. */
export function proofOf(keyHash: string, transcript: Transcript): Buffer {
  return block(keyHash, transcript, STATION);
}

/** Builds a turbo's answer, which contains its key masked so that only the hash of the key unmasks it. */
export function answerOf(key: string, transcript: Transcript): Buffer {
  return masked(Buffer.from(key), hash('sha256', key, 'base64'), transcript);
}

/** Returns the key in an answer if the key has this hash, or undefined if it does not. */
export function findKeyIn(answer: Uint8Array, keyHash: string, transcript: Transcript): string | undefined {
  if (answer.length > MAX_ANSWER_BYTES) return undefined;
  const key = masked(answer, keyHash, transcript);
  const expected = Buffer.from(keyHash, 'base64');
  const found = hash('sha256', key, 'buffer');
  return found.length === expected.length && timingSafeEqual(found, expected) ? key.toString() : undefined;
}

/**
 * Returns the proof to a board that an update comes from the station, which knows the Base64 hash of the board's key. See
 * docs/decisions/0059.
 */
export function updateTagOf(keyHash: string, { serialNumber, nonce, files, hash: all }: UpdateToSign): Buffer {
  const count = Buffer.alloc(2);
  count.writeUInt16LE(files);
  return hmacOf(keyHash, [Buffer.of(UPDATE), text8(serialNumber), nonce, count, all]);
}

function masked(bytes: Uint8Array, keyHash: string, transcript: Transcript): Buffer {
  const out = Buffer.from(bytes);
  for (let at = 0, number = STATION + 1; at < out.length; number += 1) {
    for (const byte of block(keyHash, transcript, number)) {
      if (at < out.length) out[at] = (out[at] ?? 0) ^ byte;
      at += 1;
    }
  }
  return out;
}

function block(keyHash: string, transcript: Transcript, number: number): Buffer {
  const { serialNumber, username, turboNonce, stationNonce } = transcript;
  return hmacOf(keyHash, [Buffer.of(number), text8(serialNumber), text8(username), turboNonce, stationNonce]);
}

function hmacOf(keyHash: string, parts: readonly Uint8Array[]): Buffer {
  return createHmac('sha256', Buffer.from(keyHash, 'base64')).update(Buffer.concat(parts)).digest();
}

function text8(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.of(bytes.length), bytes]);
}
