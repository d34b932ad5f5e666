import type { Delivery, DeliveryExchange } from '#shared/api/callback.ts';
import { formatAgo } from '../../station/time.ts';
import { prettyJson } from '../../kit/code/Code.tsx';
import type { Tone as StateTone } from '../../kit/feedback/StateTag.tsx';
import * as texts from '../../words/texts.ts';
import { dotted } from '../../words/dotted.ts';

const words = texts.callbacks;

/** The fields that can contain the event. Each callback family uses one of them. */
const EVENT_FIELDS = ['acknack', 'order_event', 'condition_event', 'task_event', 'kind'];

/** Describes the event of a callback, such as `Pressed` or `Item added`. */
export function eventWords({ payload }: Pick<Delivery, 'payload'>): string {
  const event = EVENT_FIELDS.map((field) => text(payload, field)).find((each) => each !== '') ?? '';
  return words.events[event] ?? (event === '' ? words.otherEvent : event);
}

/** Describes the subject of a callback: the order, the place or turbo, the article, and the nonce. */
export function subjectWords({ payload }: Pick<Delivery, 'payload'>): string {
  const place = text(payload, 'location') || text(payload, 'deviceid') || text(payload, 'turbo');
  const order = text(payload, 'order');
  return dotted(...new Set([order, place, text(payload, 'SKU'), text(payload, 'nonce')]));
}

/** Describes the state of a delivery, such as `Retrying`. */
export function stateWords({ state, attempts }: Pick<Delivery, 'state' | 'attempts'>): string {
  return words.state[state](attempts);
}

/**
 * Formats details of the state, such as `next attempt in 5 min · 3 attempts`. Omits a refusal, because the HTTP status
 * is shown next to it.
 */
export function restWords(delivery: Delivery, now: number): string {
  const { state, attempts, next_attempt: next, last_status: status, last_error: error } = delivery;
  return dotted(
    state === 'pending' && next !== null && attempts > 0 ? nextWords(Date.parse(next) - now) : '',
    state !== 'delivered' || attempts > 1 ? words.attempts(attempts) : '',
    state !== 'delivered' && status === null ? (error ?? '') : '',
  );
}

function nextWords(inMs: number): string {
  return inMs <= 0 ? words.nextNow : words.nextIn(formatAgo(inMs));
}

/** Returns the name of a delivery's receiver. */
export function receiverWords({ receiver, receiver_name: name }: Pick<Delivery, 'receiver' | 'receiver_name'>): string {
  return words.receivers[receiver] ?? name ?? words.deletedReceiver;
}

type Answered = Pick<Delivery, 'receiver' | 'last_status' | 'last_error' | 'attempts'>;

/**
 * Returns the HTTP status, or a text if there was no response. For a broker, returns whether it accepted the message.
 * Empty before the first attempt.
 */
export function answerText({ receiver, last_status: status, last_error: error, attempts }: Answered): string {
  if (status !== null) return String(status);
  if (attempts === 0) return '';
  if (receiver !== 'mqtt') return words.noAnswer;
  return error === null ? words.acknowledged : words.refused;
}

export function toneOf({ state, attempts }: Pick<Delivery, 'state' | 'attempts'>) {
  if (state === 'dead') return 'broken';
  if (state === 'delivered') return 'good';
  return attempts > 0 ? 'refused' : 'waiting';
}

export const STATE_TONES: Readonly<Record<ReturnType<typeof toneOf>, StateTone>> = {
  good: 'done',
  waiting: 'open',
  refused: 'care',
  broken: 'halted',
};

/** Formats an HTTP message as text: the first line, the headers and the body. */
export function messageText(parts: {
  first: string;
  headers: NonNullable<DeliveryExchange['request']>['headers'];
  body: string;
}): string {
  const headers = parts.headers.map(({ name, value }) => `${name}: ${value}`);
  const body = parts.body === '' ? [] : ['', prettyJson(parts.body)];
  return [parts.first, ...headers, ...body].join('\n');
}

function text(payload: Record<string, unknown>, name: string): string {
  const value = payload[name];
  return typeof value === 'string' ? value : '';
}
