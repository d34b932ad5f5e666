import type { IncomingHttpHeaders } from 'node:http';
import { isOwnOrigin, type Addresses } from '../guard.ts';

/**
 * The API key of a request. HTTP hears `API-KEY`, `Api-Key` and `api-key` as one name; `API_KEY` is another one. Who sends it:
 * clients for orders, after the examples of the service. Contract, section 3.
 */
export function apiKeyOf(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['api-key'] ?? headers['api_key'];
  return typeof key === 'string' ? key : undefined;
}

/**
 * The token by which a write in a session proves that no other page caused it: the header alone, whatever the cookie
 * `csrftoken` says. Who sends such cookies: clients that make it themselves from the token of the sign-in, keep an older one,
 * or have none. Contract, section 3.
 */
export function csrfTokenOf(headers: IncomingHttpHeaders): string | undefined {
  const token = headers['x-csrf-token'];
  return typeof token === 'string' ? token : undefined;
}

/**
 * Whether a write in a session names this station as the page that it comes from, by any path. Who sends which: some clients
 * `{host}/`, some `{host}/api/`, browsers the page that is open. Contract, section 3.
 */
export function hasOwnReferer(
  { referer }: IncomingHttpHeaders,
  localAddress: string | undefined,
  addresses: Addresses,
): boolean {
  return referer !== undefined && isOwnOrigin(referer, localAddress, addresses);
}
