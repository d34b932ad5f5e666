import type { DemoShop } from '#shared/api/setup.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import { ConfirmDialog } from '../../kit/dialog/Dialog.tsx';
import { Failure } from '../../kit/feedback/EmptyState.tsx';
import parts from '../../kit/parts.module.css';
import { demoShop as words } from '../../words/firstDay.ts';
import { useServices } from '../toasts.ts';

/**
 * A dialog that shows what is removed with the demo shop and what is kept, and that removes the shop. `removed` is
 * called afterwards.
 */
export function RemoveDemo({ close, removed: after }: { close(): void; removed?(): void }) {
  const { api, toasts } = useServices();
  const shop = useStationQuery(['demoShop'], () => api.getDemoShop());
  const { status, value } = shop;
  const removed = value === undefined ? [] : removedIn(value);
  const canRemove = value !== undefined && value.lit.length === 0 && removed.length > 0;
  return (
    <ConfirmDialog
      title={words.title}
      danger={canRemove}
      confirm={canRemove ? words.confirm : words.close}
      isOpen
      body={
        <div className={parts.column3}>
          {status === 'waiting' && <p className={parts.quiet}>{words.loading}</p>}
          <Failure>{shop.status === 'failed' && `${words.failed} ${shop.failure}`}</Failure>
          {value !== undefined && <Parts shop={value} removed={removed} />}
        </div>
      }
      onConfirm={async () => {
        if (!canRemove) return;
        await api.removeDemoShop();
        toasts.show(words.done);
        after?.();
      }}
      onClose={close}
    />
  );
}

function Parts({ shop: { kept, lit }, removed }: { shop: DemoShop; removed: readonly string[] }) {
  if (removed.length === 0) return <p>{words.nothing}</p>;
  return (
    <>
      {lit.length > 0 && (
        <p role="alert" className={parts.careStrong}>
          {words.lit(lit)}
        </p>
      )}
      <List title={words.removes} lines={removed} />
      <List title={words.keeps} lines={[words.yours, ...kept.map(({ name, reason }) => words.kept(name, reason))]} />
      <p>{words.undo}</p>
    </>
  );
}

function List({ title, lines }: { title: string; lines: readonly string[] }) {
  return (
    <div>
      <p className={parts.strong}>{title}</p>
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </div>
  );
}

function removedIn({ devices, racks, orders, sequences }: DemoShop): string[] {
  const { parts: said } = words;
  return [
    ...(devices.length > 0 ? [said.devices(devices.length)] : []),
    ...(racks.length > 0 ? [said.racks(racks)] : []),
    ...(orders.length > 0 ? [said.orders(orders)] : []),
    ...(sequences.length > 0 ? [said.sequences(sequences)] : []),
  ];
}
