import { createHash } from 'node:crypto';

const CHARACTERS = 12;

/** Returns the version of a stored picture, which is the same for the same content. */
export function pictureVersion(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex').slice(0, CHARACTERS);
}
