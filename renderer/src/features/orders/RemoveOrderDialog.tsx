import { ConfirmDialog } from '../../ui/Dialog.tsx';
import { texts } from '../../ui/texts.ts';
import type { useOrderActions } from './useOrderActions.ts';

const words = texts.orders.ask;

/** Asks once before an order goes that cannot be brought back. */
export function RemoveOrderDialog({ asking }: Pick<ReturnType<typeof useOrderActions>, 'asking'>) {
  const { order, close, confirm } = asking;
  return (
    <ConfirmDialog
      title={words.title(order?.order_number ?? '')}
      body={words.body(order?.active_count ?? 0)}
      confirm={words.confirm}
      danger
      isOpen={order !== undefined}
      onConfirm={confirm}
      onClose={close}
    />
  );
}
