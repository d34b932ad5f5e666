import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

/** A key of a data folder. `id` identifies the key in encrypted values without revealing it. */
export type DataKey = { id: string; bytes: Buffer };

export const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const SEALED = /^sealed:1:([0-9a-f]{16}):([A-Za-z0-9_-]{38,})$/;

export function dataKeyOf(bytes: Buffer): DataKey {
  const id = createHmac('sha256', bytes).update('pickstation: id of a data key').digest('hex').slice(0, 16);
  return { id, bytes };
}

export function newDataKey(): DataKey {
  return dataKeyOf(randomBytes(KEY_BYTES));
}

/** Encrypts a text for one place, such as `settings/mail_password`. It cannot be decrypted elsewhere. */
export function seal({ id, bytes }: DataKey, place: string, text: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', bytes, nonce).setAAD(Buffer.from(place, 'utf8'));
  const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `sealed:1:${id}:${sealed.toString('base64url')}`;
}

/** Whether the text is encrypted, even if it is damaged or from a newer version. */
export function isSealed(text: string): boolean {
  return text.startsWith('sealed:');
}

/** Returns the id of the key that encrypted the text, or an empty string if the text is not encrypted, damaged, or from a newer version. */
export function keyIdOf(text: string): string {
  return SEALED.exec(text)?.[1] ?? '';
}

/** Decrypts a text. Returns undefined if it was encrypted with a different key or for a different place, or is damaged. */
export function unseal({ id, bytes }: DataKey, place: string, text: string): string | undefined {
  const [, by, body = ''] = SEALED.exec(text) ?? [];
  if (by !== id) return undefined;
  const sealed = Buffer.from(body, 'base64url');
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', bytes, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(place, 'utf8')).setAuthTag(sealed.subarray(-TAG_BYTES));
  try {
    const text = Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
    return text.toString('utf8');
  } catch {
    return undefined;
  }
}
