import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { isOwnOrigin, type Addresses } from '../port/guard.ts';

/** Maximum number of characters in user name and password together. */
const MAX_BASIC = 1_200;

/**
 * The API key of a request. Header names ignore case, so `API-KEY` and `api-key` are the same header; `API_KEY` is another one. Who sends
 * it: order clients that follow the examples of the service. Contract, section 3.
 */
export function apiKeyOf(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['api-key'] ?? headers['api_key'];
  return typeof key === 'string' ? key : undefined;
}

/** User name and secret of HTTP Basic. Undefined if they are malformed, not UTF-8 or too long. */
export function basicCredentials(encoded: string): { username: string; secret: string } | undefined {
  const bytes = Buffer.from(encoded, 'base64');
  if (!isUtf8(bytes)) return undefined;
  const decoded = bytes.toString('utf8');
  const colon = decoded.indexOf(':');
  if (colon < 0 || decoded.length > MAX_BASIC) return undefined;
  return { username: decoded.slice(0, colon), secret: decoded.slice(colon + 1) };
}

/**
 * The token that proves that a write in a session comes from our page. Only the header counts, not the cookie `csrftoken`. Who
 * sends such cookies: clients that set it themselves from the token of the sign-in, keep an older one, or have none. Contract,
 * section 3.
 */
export function csrfTokenOf(headers: IncomingHttpHeaders): string | undefined {
  const token = headers['x-csrf-token'];
  return typeof token === 'string' ? token : undefined;
}

/**
 * Whether the referer of a write in a session is this station, with any path. Who sends which: some clients `{host}/`, some
 * `{host}/api/`, browsers the page that is open. Contract, section 3.
 */
export function hasOwnReferer(
  { referer }: IncomingHttpHeaders,
  localAddress: string | undefined,
  addresses: Addresses,
): boolean {
  return referer !== undefined && isOwnOrigin(referer, localAddress, addresses);
}
