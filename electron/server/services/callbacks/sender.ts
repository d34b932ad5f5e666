import { createHmac } from 'node:crypto';
import { callbackRequest } from '../../domain/callbackRequest.ts';
import { describeSendError } from '../../domain/describeSendError.ts';
import type { Clock, HttpAnswer, HttpClient, HttpRequest, Sending } from '../../ports.ts';
import type { TestReceiver } from './testReceiver.ts';
import type { SettingsService } from '../settings/index.ts';

/** `failure`: why there is no answer, as a sentence. */
export type Sent = {
  url: string;
  method: HttpRequest['method'];
  answer: HttpAnswer | undefined;
  failure: string | null;
  /** What was sent; undefined: nothing could be. */
  request: HttpRequest | undefined;
  milliseconds: number;
};

export type CallbackSender = {
  /** One attempt, by the settings of now. `id`: the webhook-id; `payload`: the body as JSON. */
  send(callback: { id: string; payload: string }): Attempt;
};

/** One attempt under way. `sent` never rejects. */
export type Attempt = { sent: Promise<Sent>; giveUp(): void };

/** Sends one callback once: address, headers and signature as the settings have them. Contract, section 9. */
export function createCallbackSender(parts: {
  settings: SettingsService;
  http: HttpClient;
  testReceiver: Pick<TestReceiver, 'isFor' | 'take'>;
  clock: Clock;
  version: string;
}): CallbackSender {
  const { settings, http, testReceiver, clock, version } = parts;

  function requestOf({ id, payload }: { id: string; payload: string }): HttpRequest {
    const current = settings.current();
    const { method, url, body } = callbackRequest(current.callback_url, payload);
    const timestamp = String(Math.floor(clock.now() / 1_000));
    const headers: Record<string, string> = {
      'user-agent': `Pickstation/${version}`,
      'webhook-id': id,
      'webhook-timestamp': timestamp,
    };
    if (body !== undefined) headers['content-type'] = 'application/json';
    if (current.callback_api_key !== null) headers['x-api-key'] = current.callback_api_key;
    if (current.callback_username !== '') {
      const credentials = `${current.callback_username}:${current.callback_password ?? ''}`;
      headers['authorization'] = `Basic ${Buffer.from(credentials, 'utf8').toString('base64')}`;
    }
    if (current.callback_signing_secret !== null) {
      const secret = Buffer.from(current.callback_signing_secret.slice('whsec_'.length), 'base64');
      const signature = createHmac('sha256', secret)
        .update(`${id}.${timestamp}.${body ?? ''}`)
        .digest('base64');
      headers['webhook-signature'] = `v1,${signature}`;
    }
    for (const [name, value] of Object.entries(current.callback_headers)) headers[name.toLowerCase()] = value;
    return {
      method,
      url,
      headers,
      body,
      ca: current.callback_ca === '' ? undefined : current.callback_ca,
      verify: current.callback_verify,
    };
  }

  return {
    send(callback) {
      const { callback_url: url, callback_timeout: seconds } = settings.current();
      const startedAt = clock.monotonic();
      let request: HttpRequest | undefined;
      let timedOut = false;
      let sending: Sending | undefined;
      const giveUp = (): void => sending?.giveUp();
      const sent = (answer: HttpAnswer | undefined, failure: string | null): Sent => {
        const milliseconds = Math.round(clock.monotonic() - startedAt);
        return { url, method: request?.method ?? 'POST', answer, failure, request, milliseconds };
      };
      const limit = clock.setTimer(seconds * 1_000, () => {
        timedOut = true;
        giveUp();
      });
      async function attempt(): Promise<Sent> {
        try {
          if (url === '') throw new Error('No callback URL is set.');
          request = requestOf(callback);
          if (testReceiver.isFor(request.url)) return sent(testReceiver.take(request), null);
          sending = http.send(request);
          return sent(await sending.answer, null);
        } catch (error) {
          const failure = timedOut ? `The receiver gave no answer within ${seconds} s.` : describeSendError(error);
          return sent(undefined, failure);
        } finally {
          limit.cancel();
        }
      }
      return { sent: attempt(), giveUp };
    },
  };
}
