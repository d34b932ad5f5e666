import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { isOwnOrigin, type Addresses } from '../port/guard.ts';

/** Maximum number of characters in user name and password together. */
const MAX_BASIC = 1_200;

/**
 * Returns the API key of a request. Header names ignore case, so `API-KEY` and `api-key` are the same header. `API_KEY` is a different one,
 * sent by order clients that follow the examples in the specification. Contract, section 3.
 */
export function apiKeyOf(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['api-key'] ?? headers['api_key'];
  return typeof key === 'string' ? key : undefined;
}

/** Decodes the user name and secret of HTTP Basic. Returns undefined if they are malformed, not UTF-8, or too long. */
export function basicCredentials(encoded: string): { username: string; secret: string } | undefined {
  const bytes = Buffer.from(encoded, 'base64');
  if (!isUtf8(bytes)) return undefined;
  const decoded = bytes.toString('utf8');
  const colon = decoded.indexOf(':');
  if (colon < 0 || decoded.length > MAX_BASIC) return undefined;
  return { username: decoded.slice(0, colon), secret: decoded.slice(colon + 1) };
}

/**
 * Returns the token that proves that a write in a session comes from our page. Only the header counts. The cookie `csrftoken` is ignored,
 * because some clients set it themselves from the sign-in token, keep an outdated one, or have none. Contract, section 3.
 */
export function csrfTokenOf(headers: IncomingHttpHeaders): string | undefined {
  const token = headers['x-csrf-token'];
  return typeof token === 'string' ? token : undefined;
}

/**
 * Whether the referer of a write in a session is an address of this station, with any path. Some clients send `{host}/`, others
 * `{host}/api/`, and browsers send the address of the open page. Contract, section 3.
 */
export function hasOwnReferer(
  { referer }: IncomingHttpHeaders,
  localAddress: string | undefined,
  addresses: Addresses,
): boolean {
  return referer !== undefined && isOwnOrigin(referer, localAddress, addresses);
}
