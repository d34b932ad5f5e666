import type { RequestHandler } from 'express';
import { StationError } from '../../errors.ts';

/** Matches a run of percent-encoded bytes. */
const ENCODED = /(?:%[0-9A-Fa-f]{2})+/g;
/** Matches a percent sign that does not encode a byte. */
const CUT = /%(?![0-9A-Fa-f]{2})/;
const BEYOND_ASCII = /%[89A-Fa-f]/;

/** Remedy to append to error messages. */
export const ENCODE_ADDRESS = 'Percent-encode the address as UTF-8: a space is %20, an ü is %C3%BC.';

const UNENCODED = 'The path has a % that is not followed by two hexadecimal digits. Write % as %25.';

/**
 * Returns middleware that refuses paths that cannot be decoded, and API paths that are not UTF-8, because decoding would replace
 * characters.
 */
export function exactAddresses(): RequestHandler {
  return (req, _res, next) => {
    if (CUT.test(req.path)) throw new StationError('malformed', `${UNENCODED} ${ENCODE_ADDRESS}`);
    if (BEYOND_ASCII.test(req.url) && req.path.startsWith('/api')) checkEncoded(req.url, 'The address');
    next();
  };
}

/** Throws `encoding` if percent-encoded bytes are not UTF-8. `what` is the subject of the error message. */
export function checkEncoded(text: string, what: string): void {
  const wrong = text.match(ENCODED)?.find((bytes) => !isUtf8(bytes));
  if (wrong === undefined) return;
  throw new StationError('encoding', `${what} has ${wrong.slice(0, 60)}, which is not UTF-8. ${ENCODE_ADDRESS}`);
}

function isUtf8(encoded: string): boolean {
  try {
    decodeURIComponent(encoded);
    return true;
  } catch {
    return false;
  }
}
