/** A callback URL with replacement fields such as `{nonce}` is called by GET, one without by JSON POST. Specification, Delivery. */
export type CallbackRequest = { method: 'GET' | 'POST'; url: string; body: string | undefined };

const FIELD = /\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** The request of one delivery. Values are percent-encoded; a field that the payload does not have is empty. */
export function callbackRequest(template: string, payload: string): CallbackRequest {
  if (template.search(FIELD) === -1) return { method: 'POST', url: template, body: payload };
  const fields = JSON.parse(payload) as Record<string, string | number | boolean | null>;
  const url = template.replace(FIELD, (_, name: string) => {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return value === undefined || value === null ? '' : encodeURIComponent(String(value).toWellFormed());
  });
  return { method: 'GET', url, body: undefined };
}
