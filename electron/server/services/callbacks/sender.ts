import { createHmac } from 'node:crypto';
import type { AttemptExchange } from '../../db/repositories/outbox.ts';
import { callbackRequest, eventHeaders, type CallbackEvent } from '../../domain/callbacks/callbackRequest.ts';
import { isTaken } from '../../domain/callbacks/deliverySchedule.ts';
import { describeSendError } from '../../domain/callbacks/describeSendError.ts';
import { hideValues, secretValuesOf } from '../../domain/callbacks/echoedSecrets.ts';
import { redirectWords } from '../../domain/callbacks/redirectWords.ts';
import { textOf, withoutSecrets } from '../../domain/callbacks/redactResponse.ts';
import type { Clock, HttpAnswer, HttpClient, HttpRequest, Sending } from '../../ports.ts';
import type { CallbackTarget, Destination } from './types.ts';
import type { TestReceiver } from './testReceiver.ts';

/** Result of an attempt. `failure` says why no answer arrived, as a message for the user. */
export type SendResult = {
  url: string;
  method: HttpRequest['method'];
  answer: HttpAnswer | undefined;
  failure: string | null;
  /** The request, or undefined if it could not be built. */
  request: HttpRequest | undefined;
  /** Names of the extra headers, whose values are secrets. */
  extraHeaders: readonly string[];
  milliseconds: number;
};

/**
 * A callback to send once. `id` is the webhook id, and `payload` the JSON body. `event` contains the time of the event and the quantity
 * that it added.
 */
export type Sendable = { id: string; payload: string; event: CallbackEvent };

/** An attempt in flight. `sent` never rejects. */
export type Attempt = { sent: Promise<SendResult>; giveUp(): void };

/** Sends a callback once, with the receiver's address, headers and signature. Contract, section 9. */
export function createCallbackSender(parts: {
  http: HttpClient;
  testReceiver: Pick<TestReceiver, 'isFor' | 'take'>;
  clock: Clock;
  version: string;
}) {
  const { http, testReceiver, clock, version } = parts;

  function requestOf({ id, payload, event }: Sendable, to: Destination): HttpRequest {
    const { method, url, body } = callbackRequest(to.url, payload);
    const headers = new Map([['user-agent', `Pickstation/${version}`]]);
    if (body !== undefined) headers.set('content-type', 'application/json');
    if (to.apiKey !== null) headers.set('x-api-key', to.apiKey);
    if (to.username !== '') {
      const credentials = `${to.username}:${to.password ?? ''}`;
      headers.set('authorization', `Basic ${Buffer.from(credentials, 'utf8').toString('base64')}`);
    }
    for (const [name, value] of Object.entries(to.headers)) headers.set(name.toLowerCase(), value);
    const timestamp = String(Math.floor(clock.now() / 1_000));
    const ofEvent = { 'webhook-id': id, 'webhook-timestamp': timestamp, ...eventHeaders(event) };
    for (const [name, value] of Object.entries(ofEvent)) headers.set(name, value);
    if (to.signingSecret !== null) {
      const secret = Buffer.from(to.signingSecret.slice('whsec_'.length), 'base64');
      const signature = createHmac('sha256', secret)
        .update(`${id}.${timestamp}.${body ?? ''}`)
        .digest('base64');
      headers.set('webhook-signature', `v1,${signature}`);
    }
    return {
      method,
      url,
      headers: Object.fromEntries(headers),
      body,
      ca: to.ca === '' ? undefined : to.ca,
      verify: to.verify,
      wholeUpTo: undefined,
    };
  }

  return {
    /** Starts an attempt at the current destination. */
    send(callback: Sendable, target: Pick<CallbackTarget, 'destination' | 'held'>): Attempt {
      const to = target.destination();
      const { url, timeoutS: seconds } = to;
      const extraHeaders = Object.keys(to.headers).map((name) => name.toLowerCase());
      const startedAt = clock.monotonic();
      let request: HttpRequest | undefined;
      let timedOut = false;
      let sending: Sending | undefined;
      const giveUp = (): void => sending?.giveUp();
      const sent = (answer: HttpAnswer | undefined, failure: string | null): SendResult => {
        const milliseconds = Math.round(clock.monotonic() - startedAt);
        return { url, method: request?.method ?? 'POST', answer, failure, request, milliseconds, extraHeaders };
      };
      const limit = clock.setTimer(seconds * 1_000, () => {
        timedOut = true;
        giveUp();
      });
      async function attempt(): Promise<SendResult> {
        try {
          const held = target.held();
          if (held !== undefined) throw new Error(held);
          if (url === '') throw new Error('No callback URL is set.');
          request = requestOf(callback, to);
          if (testReceiver.isFor(request.url))
            return sent(testReceiver.take(request, to.signingSecret, extraHeaders), null);
          sending = http.send(request);
          return sent(await sending.answer, null);
        } catch (error) {
          const failure = timedOut ? `The receiver did not answer within ${seconds} s.` : describeSendError(error);
          return sent(undefined, failure);
        } finally {
          limit.cancel();
        }
      }
      return { sent: attempt(), giveUp };
    },
  };
}

export type CallbackSender = ReturnType<typeof createCallbackSender>;

/** Describes why an attempt failed. Returns null if the receiver accepted the callback. */
export function errorOf({ answer, failure }: SendResult): string | null {
  if (failure !== null || answer === undefined) return failure;
  if (isTaken(answer.status)) return null;
  return `The receiver answered ${answer.status}.${redirectWords(answer.status, answer.headers['location'])}`;
}

/** Built-in headers whose values are secrets. */
const SIGN_IN_HEADERS = ['x-api-key', 'authorization'];

/** Returns the parts of an attempt to store, without secrets. A receiver may echo the request, including its secrets. */
export function exchangeOf({ request, answer, milliseconds, extraHeaders }: SendResult): {
  exchange?: AttemptExchange;
} {
  if (request === undefined) return {};
  const { method, url, headers } = request;
  const secrets = secretValuesOf(headers, [...SIGN_IN_HEADERS, ...extraHeaders]);
  return {
    exchange: {
      milliseconds,
      request: { method, url, headers: withoutSecrets(headers, extraHeaders) },
      answer: answer === undefined ? null : answerOf(answer, secrets),
    },
  };
}

function answerOf({ headers, body, isWhole }: HttpAnswer, secrets: readonly string[]): AttemptExchange['answer'] {
  const text = textOf(headers, body, isWhole);
  const shown = Object.entries(headers).map(([name, value]) => [name, hideValues(value, secrets, true)] as const);
  return {
    headers: withoutSecrets(Object.fromEntries(shown)),
    body: text === null ? null : hideValues(text, secrets, !isWhole),
    whole: isWhole,
  };
}
