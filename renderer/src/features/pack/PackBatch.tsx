import { type RefObject, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { Batch } from '#shared/api/batch.ts';
import type { Carrier } from '#shared/api/carrier.ts';
import { pageAddress } from '#shared/lib/station/pageRoutes.ts';
import { Grid3x3 } from 'lucide-react';
import { Button } from '../../kit/button/Button.tsx';
import { ConfirmDialog } from '../../kit/dialog/Dialog.tsx';
import { EmptyState, NotLoaded } from '../../kit/feedback/EmptyState.tsx';
import { StateTag } from '../../kit/feedback/StateTag.tsx';
import { SwitchField } from '../../kit/field/fields.tsx';
import { Segments } from '../../kit/field/Segments.tsx';
import page from '../../kit/list/ListPage.module.css';
import { BackButton, PageHeader } from '../../kit/page/PageHeader.tsx';
import parts from '../../kit/parts.module.css';
import { Printed } from '../../kit/print/Printed.tsx';
import { PackingSlip } from '../../shop/order/PackingSlip.tsx';
import { SHEET_PAPERS } from '../../shop/order/Sheet.tsx';
import { PrinterField } from '../../shop/PrinterField.tsx';
import { useSlotTroubles } from '../../shop/device/slotTroubles.ts';
import { useAttempt, useServices } from '../../shop/toasts.ts';
import { batchAddress } from '../../station/addresses.ts';
import { useStationState } from '../../station/context.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import { pack as words } from '../../words/pack.ts';
import * as texts from '../../words/texts.ts';
import styles from './Pack.module.css';
import { CheckScans } from './CheckScans.tsx';
import { CompleteSlot } from './CompleteSlot.tsx';
import { type PackSlot, contentKey, packLines } from './packSlots.ts';
import { type CheckedPieces, uncheckedOf } from './packCheck.ts';
import { usePackCheck } from './usePackCheck.ts';
import { useBackPresses, useSlips } from './useSlips.ts';

type Props = { carrier: Carrier; id: number };

/** Shows the slots of a batch to the packer, with large cards for the complete ones. */
export function PackBatch({ carrier, id }: Props) {
  const { api } = useServices();
  const batch = useStationQuery(['batch', String(id)], () => api.getBatch({ path: { id } }));
  if (batch.value !== undefined) return <Slots carrier={carrier} batch={batch.value} reload={batch.reload} />;
  return (
    <div className={page.page}>
      <PageHeader title={words.title(carrier.name)}>
        <BackButton words={words.back} to={pageAddress('pack')} />
      </PageHeader>
      <main className={page.content}>
        <NotLoaded of={batch} title={words.failed} />
      </main>
    </div>
  );
}

type Warned = { slot: PackSlot; what: 'print' | 'empty'; count: number };

function Slots({ carrier, batch, reload }: { carrier: Carrier; batch: Batch; reload(): void }) {
  const isChecked = useStationState(({ station }) => station?.pack_check ?? false);
  const check = usePackCheck(carrier, batch);
  const slips = useSlips();
  const troubles = useSlotTroubles(carrier.slots);
  const [warned, setWarned] = useState<Warned>();
  const heading = useRef<HTMLHeadingElement>(null);
  const { empty, emptying } = useEmptySlot(batch.id, { heading, reload });
  const { id, slots } = batch;
  const complete = slots.filter(({ state }) => state === 'complete');
  const others = slots.filter(({ state }) => state === 'open' || state === 'stopped');
  const freed = slots.filter((slot) => slot.freed !== null);

  /** Runs an action. If some pieces are unchecked, warns first. */
  const unlessUnchecked = (slot: PackSlot, what: Warned['what'], run: () => void): void => {
    const count = isChecked ? uncheckedIn(slot, check.countedOf(slot)) : 0;
    if (count === 0) run();
    else setWarned({ slot, what, count });
  };
  const print = (slot: PackSlot) => unlessUnchecked(slot, 'print', () => void slips.print(slot));
  useBackPresses(id, slips.printsPresses, complete, print);

  return (
    <div className={page.page}>
      <PageHeader
        title={words.title(carrier.name)}
        note={words.progress(complete.length, complete.length + others.length)}
      >
        <BackButton words={words.back} to={pageAddress('pack')} />
        <Segments
          label={words.paper}
          value={slips.paper}
          onChange={slips.setPaper}
          choices={SHEET_PAPERS.map((paper) => ({ id: paper, words: texts.orders.printing.papers[paper] }))}
        />
      </PageHeader>
      <main className={`${page.content} ${styles.content}`}>
        <div className={styles.printing}>
          {slips.printers !== undefined && (
            <div className={styles.printer}>
              <PrinterField {...slips.printers} />
            </div>
          )}
          <SwitchField label={words.presses} value={slips.printsPresses} onChange={slips.setPrintsPresses} />
        </div>
        {isChecked && <CheckScans check={check} />}
        <section aria-label={words.complete}>
          <h2 ref={heading} tabIndex={-1} className="visuallyHidden">
            {words.complete}
          </h2>
          {complete.length === 0 ? (
            <EmptyState picture={<Grid3x3 size={32} strokeWidth={1.6} />} {...words.nothing} />
          ) : (
            <ul className={styles.cards}>
              {complete.map((slot) => (
                <CompleteSlot
                  key={contentKey(slot)}
                  slot={slot}
                  trouble={troubles.get(slot.slot)}
                  check={isChecked ? check : undefined}
                  isPrinting={slips.printing === slot.slot}
                  isEmptying={emptying === slot.slot}
                  print={() => print(slot)}
                  empty={() => unlessUnchecked(slot, 'empty', () => void empty(slot))}
                />
              ))}
            </ul>
          )}
        </section>
        {others.length > 0 && (
          <section aria-label={words.others}>
            <h2 className={`${parts.title} ${styles.heading}`}>{words.others}</h2>
            <ul className={styles.others}>
              {others.map((slot) => (
                <OtherSlot key={slot.slot} slot={slot} batch={id} trouble={troubles.get(slot.slot)} />
              ))}
            </ul>
          </section>
        )}
        {freed.length > 0 && (
          <section aria-label={words.freed}>
            <h2 className={`${parts.title} ${styles.heading}`}>{words.freed}</h2>
            <ul className={styles.others}>
              {freed.map((slot) => (
                <FreedSlot key={slot.slot} slot={slot} batch={id} reload={reload} />
              ))}
            </ul>
          </section>
        )}
        {slips.slip !== undefined && (
          <Printed className={styles.slip}>
            <PackingSlip {...slips.slip} paper={slips.paper} />
          </Printed>
        )}
      </main>
      {warned !== undefined && (
        <ConfirmDialog
          title={words.check.warnTitle(warned.slot.slot)}
          body={words.check.warn(warned.count)}
          confirm={warned.what === 'print' ? words.check.printAnyway : words.check.emptyAnyway}
          isOpen
          onConfirm={() => {
            const { slot, what } = warned;
            // Print after the dialog has closed, so that it is not on the paper.
            if (what === 'print') setTimeout(() => void slips.print(slot));
            else void empty(slot);
          }}
          onClose={() => setWarned(undefined)}
        />
      )}
    </div>
  );
}

type Emptied = { heading: RefObject<HTMLElement | null>; reload(): void };

/** Frees a slot. The list of freed slots offers Undo. Afterwards the focus is on the heading, because the card is gone. */
function useEmptySlot(id: number, { heading, reload }: Emptied) {
  const { api, toasts } = useServices();
  const [emptying, setEmptying] = useState<string>();
  async function empty({ slot }: PackSlot): Promise<void> {
    setEmptying(slot);
    await toasts.attempt(words.notEmptied, async () => {
      await api.freeSlot({ path: { id, slot } });
      toasts.show(words.emptied(slot));
      heading.current?.focus();
    });
    setEmptying(undefined);
    reload();
  }
  return { empty, emptying };
}

function uncheckedIn(slot: PackSlot, counted: CheckedPieces): number {
  return uncheckedOf(packLines(slot), counted);
}

/** A slot that somebody freed and that no other order has taken yet. */
function FreedSlot({ slot: { slot, freed }, batch, reload }: { slot: PackSlot; batch: number; reload(): void }) {
  const { api } = useServices();
  const undo = useAttempt(words.notUndone, async () => {
    await api.undoFreeSlot({ path: { id: batch, slot } });
    reload();
  });
  if (freed === null) return null;
  return (
    <li className={styles.other} data-freed>
      <span className={parts.title}>{slot}</span>
      <span>{words.freedSlot(freed.order_number, freed.by)}</span>
      <Button
        words={words.undoFree}
        aria-label={words.undoFreeOf(slot, freed.order_number)}
        busy={undo.busy}
        onPress={undo.run}
      />
    </li>
  );
}

/** A slot that is not ready to pack, with its progress. */
function OtherSlot({ slot, batch, trouble }: { slot: PackSlot; batch: number; trouble: string | undefined }) {
  const { slot: name, state, order_number: order, shares } = slot;
  const put = shares.reduce((sum, share) => sum + share.put, 0);
  const all = shares.reduce((sum, { quantity }) => sum + quantity, 0);
  return (
    <li className={styles.other} data-stopped={state === 'stopped' || undefined}>
      <span className={parts.title}>{name}</span>
      {state === 'stopped' ? (
        <Link href={batchAddress(batch)}>
          <StateTag tone="alarm" words={words.isStopped} wraps />
        </Link>
      ) : (
        <span className={styles.share}>{words.progressOf(put, all)}</span>
      )}
      <span className={parts.cut}>{order}</span>
      {trouble !== undefined && <StateTag tone="care" words={trouble} wraps />}
    </li>
  );
}
