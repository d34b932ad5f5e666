import type { ApiCall } from './call.ts';
import type { Delivery, DeliveryQuery, ReceivedCallback } from '#shared/api/callback.ts';

/** For what waits for somebody's receiver, or is many. */
const LONG = { timeoutMs: 130_000 };

/** What admins ask about callbacks. */
export function callbackApi(call: ApiCall) {
  return {
    /** Newest first; `after` is the last id of the page before. */
    loadDeliveries: (query: DeliveryQuery): Promise<readonly Delivery[]> => call('listCallbacks', { query }),
    loadDelivery: (id: string) => call('getCallback', { path: { id } }),
    countDeliveries: () => call('countCallbacks'),
    async replayDelivery(id: string): Promise<void> {
      await call('replayCallback', { path: { id } });
    },
    /** Answers how many are on their way again. */
    async replayDead(): Promise<number> {
      const { replayed } = await call('replayDeadCallbacks', { body: { state: 'dead' } }, LONG);
      return replayed;
    },
    /** Sends one callback about nothing, and answers what became of it. `conflict` without a URL. */
    testCallback: () => call('testCallback', {}, LONG),
    /** What the built-in receiver took, the newest first. */
    loadReceived: (): Promise<readonly ReceivedCallback[]> => call('listReceivedCallbacks'),
    forgetReceived: () => call('forgetReceivedCallbacks'),
  };
}
