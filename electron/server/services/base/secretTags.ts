import { createHmac, randomBytes } from 'node:crypto';

/**
 * Returns a function that makes a digest of a secret, from which a change of the secret can be detected. The digest reveals nothing about
 * the secret, because its key is random. It is valid until the station restarts.
 */
export function createSecretTags(): (value: unknown) => string {
  const key = randomBytes(32);
  return (value) => createHmac('sha256', key).update(JSON.stringify(value)).digest('base64url');
}
