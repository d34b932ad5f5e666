import type {
  Delivery,
  DeliveryCounts,
  DeliveryExchange,
  DeliveryState,
  ReceivedCallback,
  TestDelivery,
} from '#shared/api/callback.ts';
import type { Client } from '#shared/api/operations.ts';
import type { CallbackFamily } from '#shared/api/settings.ts';

export type DeliveryQuery = { state?: DeliveryState; family?: CallbackFamily; limit: number; after?: string };

/** What admins ask about callbacks. */
export type CallbackApi = {
  /** Newest first; `after` is the last id of the page before. */
  loadDeliveries(query: DeliveryQuery): Promise<readonly Delivery[]>;
  loadDelivery(id: string): Promise<DeliveryExchange>;
  countDeliveries(): Promise<DeliveryCounts>;
  replayDelivery(id: string): Promise<void>;
  /** Answers how many are on their way again. */
  replayDead(): Promise<number>;
  /** Sends one callback about nothing, and answers what became of it. `conflict` without a URL. */
  testCallback(): Promise<TestDelivery>;
  /** What the built-in receiver took, the newest first. */
  loadReceived(): Promise<readonly ReceivedCallback[]>;
  forgetReceived(): Promise<void>;
};

/** For what waits for somebody's receiver, or is many. */
const LONG = { timeoutMs: 130_000 };

/** This part of the station's REST API, as the window uses it. */
export function callbackApi(client: Client): CallbackApi {
  return {
    loadDeliveries: (query) => client.listCallbacks(query),
    loadDelivery: (id) => client.getCallback({ id }),
    countDeliveries: () => client.countCallbacks(),
    async replayDelivery(id) {
      await client.replayCallback({ id });
    },
    async replayDead() {
      const { replayed } = await client.replayDeadCallbacks({ state: 'dead' }, LONG);
      return replayed;
    },
    testCallback: () => client.testCallback(LONG),
    loadReceived: () => client.listReceivedCallbacks(),
    forgetReceived: () => client.forgetReceivedCallbacks(),
  };
}
