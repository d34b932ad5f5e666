import { isoTime } from './isoTime.ts';

/** A callback URL with replacement fields such as `{nonce}` is called by GET, one without by JSON POST. Specification, Delivery. */
export type CallbackRequest = { method: 'GET' | 'POST'; url: string; body: string | undefined };

/** What a receiver needs to book a callback. All null: an older version wrote it. */
export type CallbackEvent = {
  /** Of the commit that wrote it. */
  revision: number | null;
  /** When it happened, epoch milliseconds. */
  event_at: number | null;
  /** Quantity that it added to its item; below 0: removed. */
  picked: number | null;
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

/** Headers, and user properties over MQTT. Contract, section 9. None if an older version wrote the callback. */
export function eventHeaders({ revision, event_at, picked }: CallbackEvent): Record<string, string> {
  if (revision === null || event_at === null || picked === null) return {};
  return {
    'pickstation-revision': String(revision),
    'pickstation-time': isoTime(event_at),
    'pickstation-picked': String(picked),
  };
}

/** Body of an MQTT message, of which a subscriber may not get the user properties: the payload with the same fields behind it. */
export function messageOf({ id, payload, event }: { id: string; payload: string; event: CallbackEvent }): string {
  const { revision, event_at, picked } = event;
  const isKnown = revision !== null && event_at !== null && picked !== null;
  const fields = { webhook_id: id, ...(isKnown ? { revision, time: isoTime(event_at), picked } : {}) };
  return `${payload.slice(0, -1)},${JSON.stringify(fields).slice(1)}`;
}
