import { createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';

/**
 * Returns where a packed program looks for releases, and with which key they must be signed. `PICKSTATION_UPDATE_KEY` is the path of the
 * public key; without it, the program accepts no updates. Throws if a private key is near, because a build runs programs of others.
 */
export function updateFeed(env: NodeJS.ProcessEnv, url: string | undefined): { url: string; key: string } | undefined {
  if (env['PICKSTATION_RELEASE_KEY'] !== undefined)
    throw new Error(
      'A build must not know the private key: unset PICKSTATION_RELEASE_KEY, and set PICKSTATION_UPDATE_KEY',
    );
  const file = env['PICKSTATION_UPDATE_KEY'];
  if (file === undefined) return undefined;
  const text = readFileSync(file, 'utf8');
  if (text.includes('PRIVATE KEY'))
    throw new Error('PICKSTATION_UPDATE_KEY has a private key. A build needs the public one: openssl pkey -pubout');
  if (url === undefined) throw new Error('PICKSTATION_UPDATE_KEY needs the address of the feed: -c.publish.url');
  return { url, key: createPublicKey(text).export({ type: 'spki', format: 'pem' }) as string };
}
