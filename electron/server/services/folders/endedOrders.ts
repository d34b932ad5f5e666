import type { TablesOf } from '../../core.ts';
import type { EndedOrders } from '../orders/index.ts';
import type { SettingsService } from '../settings/index.ts';

/** Queues ended orders for the outbox folder, in the transaction that ends the order. */
export function createEndedOrders(parts: {
  repositories: TablesOf<'folders'>;
  settings: Pick<SettingsService, 'current'>;
}): EndedOrders & { follow(added: () => void): void } {
  const { repositories, settings } = parts;
  let notify = (): void => undefined;
  return {
    ended(tx, orderNumber) {
      if (settings.current().outbox_folder === '') return;
      repositories.endedOrders.add(orderNumber);
      tx.afterCommit(notify);
    },
    removing(orderNumber, answer) {
      if (repositories.endedOrders.isWaiting(orderNumber)) {
        repositories.endedOrders.keep(JSON.stringify(answer()), orderNumber);
      }
    },
    /** Calls `added` after each commit that ends an order. */
    follow(added) {
      notify = added;
    },
  };
}
