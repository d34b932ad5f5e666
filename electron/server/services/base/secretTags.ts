import { createHmac, randomBytes } from 'node:crypto';

/**
 * Returns a function that makes a digest of a secret, to detect when the secret changes. The digest reveals nothing about the secret,
 * because it is keyed with random bytes. Digests are valid until the station restarts.
 */
export function createSecretTags(): (value: unknown) => string {
  const key = randomBytes(32);
  return (value) => createHmac('sha256', key).update(JSON.stringify(value)).digest('base64url');
}
