import { type ApiCall, done } from './call.ts';
import type { Delivery, DeliveryQuery, ReceivedCallback } from '#shared/api/callback.ts';

/** For calls that wait for a receiver or replay many deliveries. */
const LONG = { timeoutMs: 130_000 };

/** For admins: callbacks. */
export function callbackApi(call: ApiCall) {
  return {
    /** Newest first; `after` is the last id of the page before. */
    loadDeliveries: (query: DeliveryQuery): Promise<readonly Delivery[]> => call('listCallbacks', { query }),
    loadDelivery: (id: string) => call('getCallback', { path: { id } }),
    countDeliveries: () => call('countCallbacks'),
    replayDelivery: (id: string) => done(call('replayCallback', { path: { id } })),
    /** Returns how many are sent again. */
    async replayDead(): Promise<number> {
      const { replayed } = await call('replayDeadCallbacks', { body: { state: 'dead' } }, LONG);
      return replayed;
    },
    /** Sends a sample callback and returns its result. Rejects with `conflict` without a URL. */
    testCallback: () => call('testCallback', {}, LONG),
    /** Callbacks to the built-in receiver, newest first. */
    loadReceived: (): Promise<readonly ReceivedCallback[]> => call('listReceivedCallbacks'),
    forgetReceived: () => call('forgetReceivedCallbacks'),
  };
}
