import type { HttpAnswer, HttpClient, HttpRequest } from '../../../electron/server/ports.ts';
import type { Random } from '../model/random.ts';

/** The receiver of the callbacks. It keeps running when the station is killed, and sometimes fails. */
export type SoakReceiver = {
  /** Creates the HTTP client for one run of the station. */
  client(isDead: () => boolean): HttpClient;
  /** The accepted callbacks by webhook id, with the body and the number of deliveries. */
  taken: ReadonlyMap<string, { body: string; times: number }>;
  /** Sets whether the receiver accepts callbacks. */
  set(isUp: boolean): void;
};

export function createReceiver(random: Random): SoakReceiver {
  const taken = new Map<string, { body: string; times: number }>();
  let isUp = true;

  async function take({ headers, body = '' }: HttpRequest, isDead: () => boolean): Promise<HttpAnswer> {
    if (isDead()) throw new Error('A dead station sends nothing');
    if (!isUp || random.chance(0.01)) return answer(503);
    const id = headers['webhook-id'] ?? '';
    const before = taken.get(id);
    if (before !== undefined && before.body !== body)
      throw new Error(`${id} came with ${before.body}, and then with ${body}`);
    taken.set(id, { body, times: (before?.times ?? 0) + 1 });
    return answer(200);
  }

  return {
    client: (isDead) => ({
      send: (request) => ({ answer: take(request, isDead), giveUp: () => undefined }),
      stop: () => undefined,
    }),
    taken,
    set: (up) => void (isUp = up),
  };
}

function answer(status: number): HttpAnswer {
  return { status, retryAfter: undefined, headers: {}, body: new Uint8Array(), isWhole: true };
}
