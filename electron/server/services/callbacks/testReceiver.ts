import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ReceivedCallback } from '#shared/api/callback.ts';
import { TEST_RECEIVER } from '#shared/lib/connections/testReceiver.ts';
import { hideInUrl } from '../../domain/station/hiddenSecrets.ts';
import { withoutSecrets } from '../../domain/callbacks/redactResponse.ts';
import type { Clock, HttpAnswer, HttpRequest } from '../../ports.ts';

/** Number of callbacks to keep. */
const MAX = 100;

/** Creates a receiver that keeps callbacks in memory, for trying out callbacks without a separate program. It always answers 200. */
export function createTestReceiver(parts: { clock: Clock }) {
  const { clock } = parts;
  let received: ReceivedCallback[] = [];
  let count = 0;
  const { host } = new URL(TEST_RECEIVER);

  function signatureOf({ headers, body = '' }: HttpRequest, secret: string | null): ReceivedCallback['signature'] {
    const given = headers['webhook-signature'];
    if (given === undefined || secret === null) return given === undefined ? 'none' : 'wrong';
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    const signed = [headers['webhook-id'], headers['webhook-timestamp'], body].join('.');
    const expected = Buffer.from(createHmac('sha256', key).update(signed, 'utf8').digest('base64'));
    const isRight = given.split(' ').some((part) => {
      const [version, text = ''] = part.split(',');
      const bytes = Buffer.from(text);
      return version === 'v1' && bytes.length === expected.length && timingSafeEqual(bytes, expected);
    });
    return isRight ? 'right' : 'wrong';
  }

  return {
    /** Whether this URL addresses the test receiver. */
    isFor: (url: string): boolean => URL.parse(url)?.host === host,
    /**
     * Stores a callback. `secret` is the signing secret of the callback's receiver. `hidden` lists the names of headers whose values are
     * secrets.
     */
    take(request: HttpRequest, secret: string | null, hidden: readonly string[]): HttpAnswer {
      const { method, url, headers, body = '' } = request;
      const webhookId = headers['webhook-id'] ?? '';
      count += 1;
      const before = received.find((one) => one.webhook_id === webhookId);
      const entry: ReceivedCallback = {
        id: String(count),
        at: new Date(clock.now()).toISOString(),
        webhook_id: webhookId,
        times: (before?.times ?? 0) + 1,
        method,
        url: hideInUrl(url),
        headers: Object.entries(withoutSecrets(headers, hidden)).map(([name, value]) => ({ name, value })),
        body,
        signature: signatureOf(request, secret),
      };
      received = [entry, ...received].slice(0, MAX);
      return { status: 200, retryAfter: undefined, headers: {}, body: new Uint8Array(), isWhole: true };
    },
    /** Returns the stored callbacks, newest first. */
    list: (): ReceivedCallback[] => received,
    forget(): void {
      received = [];
    },
  };
}

export type TestReceiver = ReturnType<typeof createTestReceiver>;
