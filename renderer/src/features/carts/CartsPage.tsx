import { CARRIER_KINDS } from '#shared/lib/picking/carriers.ts';
import { Grid3x3, Plus, ShoppingCart } from 'lucide-react';
import { lazy, useState } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import type { BatchProgress } from '#shared/api/batch.ts';
import { pageAddress } from '#shared/lib/station/pageRoutes.ts';
import { Button, ButtonLink } from '../../kit/button/Button.tsx';
import { ConfirmDialog, Dialog } from '../../kit/dialog/Dialog.tsx';
import { EmptyState } from '../../kit/feedback/EmptyState.tsx';
import { StateTag } from '../../kit/feedback/StateTag.tsx';
import page from '../../kit/list/ListPage.module.css';
import list from '../../kit/list/lists.module.css';
import { PageHeader } from '../../kit/page/PageHeader.tsx';
import parts from '../../kit/parts.module.css';
import { ListPart, Rows, useList } from '../../shop/ListPart.tsx';
import { useSlotTroubles } from '../../shop/device/slotTroubles.ts';
import { usePaletteActions } from '../../shop/paletteActions.ts';
import { useServices } from '../../shop/toasts.ts';
import { batchAddress, packAddress, slotLabelsAddress, useRouteId } from '../../station/addresses.ts';
import { useRight } from '../../station/context.ts';
import { carts as words } from '../../words/carts.ts';
import { plainSentence } from '../../words/plainSentence.ts';
import * as texts from '../../words/texts.ts';
import { BatchView } from './BatchView.tsx';
import { type KnownCarrier, useCarriers } from '../../station/useCarriers.ts';
import { CartDialog } from './CartDialog.tsx';
import { SlotTable } from './SlotTable.tsx';

const LabelsView = lazy(async () => {
  const { LabelsView: component } = await import('../../shop/labels/LabelsView.tsx');
  return { default: component };
});

const EDIT = 'edit_map';
/** Maximum number of orders to name in the message about orders left out of a batch. */
const LEFT_SAID = 3;

const PRINT = '/places/carts/print';
const SLOTS = ['slot'] as const;
const BACK = { words: texts.pages.carts.title, to: pageAddress('carts') };

type Doing = { what: 'add' } | { what: 'edit' | 'look' | 'remove'; carrier: KnownCarrier };

/**
 * The Carts page, which shows carts and walls, one batch if the address has its id, or the labels of the slots of the
 * cart or wall in the address.
 */
export function CartsPage() {
  const batch = useRouteId();
  const [path] = useLocation();
  const [params] = useSearchParams();
  const kind = CARRIER_KINDS.find((each) => params.has(each));
  if (path === PRINT && kind !== undefined) {
    return <LabelsView carrier={{ kind, id: Number(params.get(kind)) }} templates={SLOTS} back={BACK} />;
  }
  return batch === undefined ? <CarrierList /> : <BatchView key={batch} id={Number(batch)} />;
}

function CarrierList() {
  const { api, toasts } = useServices();
  const isAdmin = useRight(EDIT);
  const loaded = useCarriers();
  const batches = useList('batches', () => api.listBatches());
  const [, navigate] = useLocation();
  const [doing, setDoing] = useState<Doing>();
  const close = () => setDoing(undefined);
  const add = () => setDoing({ what: 'add' });
  usePaletteActions(isAdmin ? [{ id: 'carts.add', words: words.add, run: add }] : []);

  /** Creates a batch from the next orders, at most one per slot. */
  const fill = ({ kind, id, name, slots }: KnownCarrier) =>
    toasts.attempt(words.fillFailed, async () => {
      const batch = await api.addBatch({ body: { mode: kind, [kind]: id, fill: { count: slots.length } } });
      const numbers = new Set([...batch.slots, ...batch.waiting].flatMap(({ order_number: number }) => number ?? []));
      const left = batch.left_out
        .slice(0, LEFT_SAID)
        .map((each) => words.leftOut(each.order_number, plainSentence(each.reason)));
      toasts.show([words.filled[kind](numbers.size, name), ...left].join(' '));
      navigate(batchAddress(batch.id));
    });

  async function remove({ kind, ...seen }: KnownCarrier): Promise<void> {
    await api.removeCarrier(kind, seen);
    toasts.show(words.removed(seen.name));
    loaded.reload();
  }

  return (
    <div className={page.page}>
      <PageHeader title={texts.pages.carts.title}>
        <Button icon={Plus} words={words.add} look="primary" needs={EDIT} onPress={add} />
      </PageHeader>
      <main className={page.content}>
        <div className={page.inner}>
          <ListPart lead={words.lead} loaded={loaded}>
            <Rows
              label={words.list}
              nothing={<EmptyState picture={<ShoppingCart size={32} strokeWidth={1.6} />} {...words.none} />}
            >
              {(loaded.value ?? []).map((carrier) => (
                <CarrierRow
                  key={`${carrier.kind} ${carrier.id}`}
                  carrier={carrier}
                  batch={batches.value?.find((each) => each.state !== 'done' && each[carrier.kind] === carrier.id)}
                  fill={() => void fill(carrier)}
                  act={(what) => setDoing({ what, carrier })}
                />
              ))}
            </Rows>
          </ListPart>
        </div>
      </main>
      {(doing?.what === 'add' || doing?.what === 'edit') && (
        <CartDialog
          carrier={doing.what === 'edit' ? doing.carrier : undefined}
          onSaved={loaded.reload}
          onClose={close}
        />
      )}
      {doing?.what === 'look' && (
        <Dialog title={words.lookOf(doing.carrier.name)} isOpen onClose={close}>
          <SlotTable slots={doing.carrier.slots} label={words.lookOf(doing.carrier.name)} />
        </Dialog>
      )}
      {doing?.what === 'remove' && (
        <ConfirmDialog
          title={words.removeTitle(doing.carrier.name)}
          body={words.removeBody}
          confirm={words.remove}
          danger
          isOpen
          onConfirm={() => remove(doing.carrier)}
          onClose={close}
        />
      )}
    </div>
  );
}

type RowProps = {
  carrier: KnownCarrier;
  /** The unfinished batch that uses the cart or wall, if any. */
  batch: BatchProgress | undefined;
  fill(): void;
  act(what: 'edit' | 'look' | 'remove'): void;
};

function CarrierRow({ carrier, batch, fill, act }: RowProps) {
  const { name, kind, code, rows, columns, slots } = carrier;
  const isAdmin = useRight(EDIT);
  const Icon = kind === 'cart' ? ShoppingCart : Grid3x3;
  const troubles = [...useSlotTroubles(slots)].map(([slot, trouble]) => words.troubleOf(slot, trouble));
  const devices = slots.flatMap(({ deviceid, back_deviceid: back }) => [deviceid ?? [], back ?? []].flat()).length;
  return (
    <li className={list.row}>
      <span className={list.sign} aria-hidden="true">
        <Icon size={20} />
      </span>
      <p className={list.who}>
        <span className={list.name}>
          {name}
          <span className={`${parts.small} ${list.badge}`}>{words.kinds[kind]}</span>
        </span>
        {code !== null && <span className={parts.quiet}>{code}</span>}
      </p>
      <p className={list.facts}>
        <span>
          <span title={words.sizeSaid(rows, columns)}>{words.size(rows, columns)}</span>
          <span className={parts.quiet}> · {words.devices(devices)}</span>
        </span>
        {batch === undefined ? (
          <span className={parts.quiet}>{words.noBatch}</span>
        ) : (
          <Link href={batchAddress(batch.id)}>
            <StateTag
              tone={batch.state === 'picking' ? 'lit' : 'open'}
              words={words.inBatch(batch.id, words.batchStates[batch.state])}
            />
          </Link>
        )}
        {batch?.attention.includes('stalled') === true && (
          <span title={words.stalledSaid}>
            <StateTag tone="care" words={words.stalled} />
          </span>
        )}
        {isAdmin && batch !== undefined && <span className={parts.quiet}>{words.inUse}</span>}
        {troubles.length > 0 && <StateTag tone="care" words={words.troubles(troubles)} wraps />}
      </p>
      <div className={list.do}>
        {batch === undefined && (
          <Button words={words.fill} aria-label={words.fillOf[kind](name)} needs="work" onPress={fill} />
        )}
        {kind === 'wall' && (
          <ButtonLink to={packAddress(carrier.id)} words={words.pack} aria-label={words.packOf(name)} />
        )}
        <ButtonLink to={slotLabelsAddress(kind, carrier.id)} words={words.labels} aria-label={words.labelsOf(name)} />
        {isAdmin && batch === undefined ? (
          <Button words={words.edit} aria-label={words.editOf(name)} onPress={() => act('edit')} />
        ) : (
          <Button words={words.look} aria-label={words.lookOf(name)} onPress={() => act('look')} />
        )}
        {batch === undefined && (
          <Button words={words.remove} aria-label={words.removeOf(name)} needs={EDIT} onPress={() => act('remove')} />
        )}
      </div>
    </li>
  );
}
