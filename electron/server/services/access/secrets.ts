import { hash, timingSafeEqual } from 'node:crypto';
import type { Ids } from '../../ports.ts';

/** Prefixes that make the station's secrets recognizable. */
type Prefix = 'psb_' | 'psk_' | 'psc_' | 'pss_' | 'pst_' | 'program-' | '';

/** Returns 256 random bits, as text that needs no escaping in URLs and headers. */
export function newSecret(ids: Ids, prefix: Prefix): string {
  return prefix + Buffer.from(ids.bytes(32)).toString('base64url');
}

/** Hashes a secret. A fast hash suffices for long random secrets, and each request needs one. */
export function sha256(text: string): string {
  return hash('sha256', text, 'base64');
}

/** Whether the secret has this hash; false if the hash is null. */
export function isSecretOf(secret: string, expected: string | null): boolean {
  const given = sha256(secret);
  return timingSafeEqual(Buffer.from(given), Buffer.from(expected ?? given)) && expected !== null;
}

/** Minimum key length on stations that other machines can reach. */
const MIN_KEY_CHARACTERS = 16;

/**
 * Returns why this key from the environment is too weak for a station that other machines can reach, or an empty string if it is long
 * enough.
 */
export function weaknessOf(environmentKey: string | undefined): string {
  if (environmentKey === undefined || environmentKey.length >= MIN_KEY_CHARACTERS) return '';
  return `The key in PICKSTATION_API_KEY is shorter than ${MIN_KEY_CHARACTERS} characters. Other machines reach the station only with a longer one: choose another key, and start the station again.`;
}
