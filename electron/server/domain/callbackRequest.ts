/** A callback URL with replacement fields such as `{nonce}` is called by GET, one without by JSON POST. Specification, Delivery. */
export type CallbackRequest = { method: 'GET' | 'POST'; url: string; body: string | undefined };

const FIELD = /\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** As path segments these navigate upwards, `%2E` as well: a sender could choose another path of the receiver. */
const DOTS = /^\.+$/;

/**
 * Builds the request of one delivery. Values are percent-encoded, dot segments in a path twice; a missing field is
 * empty.
 */
export function callbackRequest(template: string, payload: string): CallbackRequest {
  if (template.search(FIELD) === -1) return { method: 'POST', url: template, body: payload };
  const fields = JSON.parse(payload) as Record<string, string | number | boolean | null>;
  const query = template.search(/[?#]/);
  const url = template.replace(FIELD, (_, name: string, at: number) => {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (value === undefined || value === null) return '';
    const encoded = encodeURIComponent(String(value).toWellFormed());
    const isInPath = query < 0 || at < query;
    return isInPath && DOTS.test(encoded) ? encoded.replaceAll('.', '%252E') : encoded;
  });
  return { method: 'GET', url, body: undefined };
}
