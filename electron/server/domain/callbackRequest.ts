import { isoTime } from './isoTime.ts';

/** A callback URL with replacement fields such as `{nonce}` is called by GET, one without by JSON POST. Specification, Delivery. */
export type CallbackRequest = { method: 'GET' | 'POST'; url: string; body: string | undefined };

/** What a receiver needs to book a callback. */
export type CallbackEvent = {
  /** Revision of the commit that wrote the callback. */
  revision: number;
  /** Time of the event, epoch milliseconds. */
  event_at: number;
  /** Quantity that the event added to its item; below 0: removed. */
  picked: number;
};

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

/** Headers of a callback; over MQTT, its user properties. Contract, section 9. */
export function eventHeaders(event: CallbackEvent): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fieldsOf(event)).map(([name, value]) => [`pickstation-${name}`, String(value)]),
  );
}

/** Body of an MQTT message: the payload, then the event, since subscribers with MQTT 3.1.1 get no user properties. */
export function messageOf({ id, payload, event }: { id: string; payload: string; event: CallbackEvent }): string {
  return `${payload.slice(0, -1)},${JSON.stringify({ webhook_id: id, ...fieldsOf(event) }).slice(1)}`;
}

/** The event as receivers get it. */
function fieldsOf({ revision, event_at, picked }: CallbackEvent): Record<string, string | number> {
  return { revision, time: isoTime(event_at), picked };
}
