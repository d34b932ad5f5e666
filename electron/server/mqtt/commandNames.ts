import type { BrokerMessage } from '../ports/broker.ts';
import { isObject } from './isObject.ts';
import type { CommandTarget } from './topics.ts';

/** What a response calls the command that it answers. */
export type Names = {
  id?: string;
  key?: string;
  nonce?: string;
  order_number?: string;
  deviceid?: string;
  location?: string;
  sequenceid?: string;
};

/** Names the device, place, order or sequence of a command, for answers without other names. */
export function subjectOf({ kind, id }: CommandTarget, body: unknown): Names {
  const named = (field: string): string | undefined => {
    const value = isObject(body) ? body[field] : undefined;
    return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : undefined;
  };
  if (kind === 'device') return { deviceid: id };
  if (kind === 'sequence') return { sequenceid: id };
  const fields = kind === 'order' ? ['order_number'] : ['deviceid', 'location'];
  return Object.fromEntries(fields.map((field) => [field, named(field)]).filter(([, value]) => value !== undefined));
}

/** Returns the nonce in a payload, or undefined if there is none. Numbers and booleans become text, as over HTTP. */
export function nonceIn(body: unknown): string | undefined {
  const nonce = isObject(body) ? body['nonce'] : undefined;
  const text = typeof nonce === 'number' || typeof nonce === 'boolean' ? String(nonce) : nonce;
  return typeof text === 'string' && text !== '' ? text : undefined;
}

/**
 * Returns the device or place that a payload on `devices/set` names, as part of the idempotency key. Returns an empty text for other
 * topics.
 */
export function placeIn({ kind }: CommandTarget, body: unknown): string {
  if (kind !== 'place' || !isObject(body)) return '';
  return `${JSON.stringify([body['deviceid'], body['location']])}\n`;
}

/** Maximum number of unknown names to list in a response. */
export const MAX_NAMED = 10;

/** Returns warnings about user properties that look like the id of the command but do not identify it. */
export function idDoubts(
  { id, propertyNames }: BrokerMessage,
  { nonce, key }: { nonce: string | undefined; key: string | undefined },
): string[] {
  const isTwice = propertyNames.filter((name) => name === 'id').length > 1;
  if (isTwice) return [`The user property id is given twice. "${(id ?? '').slice(0, MAX_SHOWN)}" counts.`];
  if (id === '') return [`The user property id is empty${withoutId(nonce)}`];
  if (id !== undefined || key !== undefined) return [];
  const similar = propertyNames.filter((name) => LIKE_ID.test(name.toLowerCase().replaceAll(/[^a-z]/g, '')));
  return similar
    .slice(0, MAX_NAMED)
    .map(
      (name) =>
        `The user property "${name.slice(0, MAX_SHOWN)}" is not read${withoutId(nonce)} Send the id of the command in the user property id.`,
    );
}

function withoutId(nonce: string | undefined): string {
  return nonce === undefined
    ? ', so a repetition would act again.'
    : ': the nonce identifies the command only until it has ended.';
}

/** Names that programs use for the id of a message, reduced to lowercase letters. */
const LIKE_ID =
  /^(?:x?(?:message|msg|command|cmd|request|req|correlation|transaction|event|order)?(?:id|key|uuid|guid)|x?idempot.*|nonce)$/;
const MAX_SHOWN = 60;
