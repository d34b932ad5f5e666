import { CALLBACK_FIELDS } from '#shared/api/callback.ts';
import { nearestName } from '#shared/lib/text/editDistance.ts';
import { isoTime } from '../station/isoTime.ts';

/**
 * The request for a callback. URLs with replacement fields such as `{nonce}` are called with GET, others with a JSON POST. Specification,
 * Delivery.
 */
export type CallbackRequest = { method: 'GET' | 'POST'; url: string; body: string | undefined };

/** Event fields that a receiver needs to book a callback. */
export type CallbackEvent = {
  /** Revision of the commit that wrote the callback. */
  revision: number;
  /** Time of the event in epoch milliseconds. */
  event_at: number;
  /** Quantity that the event added to its item; negative if removed. */
  picked: number;
};

const FIELD = /\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** Dot segments. In a path, even when written as `%2E`, they would allow a sender to choose a different path on the receiver. */
const DOTS = /^\.+$/;

/** Builds the request for a delivery. Values are percent-encoded, dot segments in paths twice; missing fields are empty. */
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

/** Maximum length of the part of a template that a warning quotes. */
const MAX_SHOWN = 40;

/** Returns warnings about a receiver's URL. `alias` is the setting `nonce_alias`. */
export function urlDoubts(url: string, alias: string): string[] {
  return templateDoubts(url, alias === '' ? CALLBACK_FIELDS : [...CALLBACK_FIELDS, alias]);
}

/** Returns warnings about replacement fields that are always empty, and about braces that are sent unchanged. */
export function templateDoubts(template: string, known: readonly string[]): string[] {
  const unknown = [...template.matchAll(FIELD)].flatMap(([, name = '']) => (known.includes(name) ? [] : [name]));
  const rest = template.replace(FIELD, '').match(/[{}].*/)?.[0];
  return [
    ...[...new Set(unknown)].map((name) => {
      const nearest = nearestName(name, known);
      return `There is no field {${name.slice(0, MAX_SHOWN)}}: it is always empty.${nearest === undefined ? '' : ` Did you mean {${nearest}}?`}`;
    }),
    ...(rest === undefined
      ? []
      : [`"${rest.slice(0, MAX_SHOWN)}" is not a field: fields are written as {${known[0] ?? ''}}.`]),
  ];
}

/** Returns the headers of a callback. Over MQTT, they are sent as user properties. Contract, section 9. */
export function eventHeaders(event: CallbackEvent): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fieldsOf(event)).map(([name, value]) => [`pickstation-${name}`, String(value)]),
  );
}

/**
 * Builds the body of an MQTT message: the payload followed by the event fields, because MQTT 3.1.1 has no user properties. The payload may
 * already contain the same `time`.
 */
export function messageOf({ id, payload, event }: { id: string; payload: string; event: CallbackEvent }): string {
  return JSON.stringify({ ...(JSON.parse(payload) as object), webhook_id: id, ...fieldsOf(event) });
}

/** Converts the event fields to the form that receivers get. */
function fieldsOf({ revision, event_at, picked }: CallbackEvent): Record<string, string | number> {
  return { revision, time: isoTime(event_at), picked };
}
