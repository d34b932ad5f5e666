import { createCipheriv } from 'node:crypto';

/** Name of the TLS key. It is always the same, because a display has only one key. */
export const PSK_IDENTITY = 'opendisplay';
const LABEL = 'opendisplay-tls-psk';
const BLOCK = 16;
/** Polynomial of RFC 4493 for blocks of 16 bytes. */
const REDUCTION = 0x87;

/** Derives the key of the TLS connection from the display's key, which has 32 hexadecimal digits. */
export function tlsKeyOf(key: string): Buffer {
  return aesCmac(Buffer.from(key, 'hex'), Buffer.from(LABEL));
}

/** Calculates the AES-CMAC with a key of 16 bytes (RFC 4493). */
export function aesCmac(key: Uint8Array, message: Uint8Array): Buffer {
  const first = doubled(encrypt(key, Buffer.alloc(BLOCK)));
  const blocks = Math.max(1, Math.ceil(message.length / BLOCK));
  const padded = Buffer.alloc(blocks * BLOCK);
  padded.set(message);
  const isWhole = message.length === padded.length;
  if (!isWhole) padded[message.length] = 0x80;
  const mask = isWhole ? first : doubled(first);
  for (const [at, byte] of mask.entries()) padded[padded.length - BLOCK + at] = byte ^ (padded.at(at - BLOCK) ?? 0);
  let sum = Buffer.alloc(BLOCK);
  for (let at = 0; at < padded.length; at += BLOCK) {
    sum = encrypt(
      key,
      sum.map((byte, index) => byte ^ (padded[at + index] ?? 0)),
    );
  }
  return sum;
}

function encrypt(key: Uint8Array, block: Uint8Array): Buffer<ArrayBuffer> {
  return Buffer.from(createCipheriv('aes-128-ecb', key, null).setAutoPadding(false).update(block));
}

function doubled(block: Buffer): Buffer {
  const twice = block.map((byte, at) => (byte << 1) | ((block[at + 1] ?? 0) >> 7));
  if ((block[0] ?? 0) & 0x80) twice[BLOCK - 1] = (twice[BLOCK - 1] ?? 0) ^ REDUCTION;
  return Buffer.from(twice);
}
