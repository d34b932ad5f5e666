import { ArchiveRestore, Hand, PackageCheck, Pause, Play, CircleStop } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Batch } from '#shared/api/batch.ts';
import { Button, ButtonLink } from '../../kit/button/Button.tsx';
import { ConfirmDialog } from '../../kit/dialog/Dialog.tsx';
import { NotLoaded } from '../../kit/feedback/EmptyState.tsx';
import { StateTag, type Tone } from '../../kit/feedback/StateTag.tsx';
import page from '../../kit/list/ListPage.module.css';
import { BackButton, PageHeader } from '../../kit/page/PageHeader.tsx';
import parts from '../../kit/parts.module.css';
import { useServices } from '../../shop/toasts.ts';
import { useRunning } from '../../shop/work/workRows.ts';
import { orderAddress } from '../../station/addresses.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import { carts } from '../../words/carts.ts';
import own from './Carts.module.css';
import { pageAddress } from '#shared/lib/station/pageRoutes.ts';

const words = carts.batch;
const WORK = 'work';

type Slot = Batch['slots'][number];

/** Shows one batch: its slots, the pieces in hand, and the next step. */
export function BatchView({ id }: { id: number }) {
  const { api } = useServices();
  const batch = useStationQuery(['batch', String(id)], () => api.getBatch({ path: { id } }));
  if (batch.value !== undefined) return <OneBatch batch={batch.value} reload={batch.reload} />;
  return (
    <div className={page.page}>
      <PageHeader title={words.title(id)}>
        <BackButton words={words.back} to={pageAddress('carts')} />
      </PageHeader>
      <main className={page.content}>
        <NotLoaded of={batch} title={words.failed} />
      </main>
    </div>
  );
}

function OneBatch({ batch, reload }: { batch: Batch; reload(): void }) {
  const { api, toasts } = useServices();
  const { running, run } = useRunning();
  const [asksAbort, setAsksAbort] = useState(false);
  const { id, state, slots, hands, put_back: putBack } = batch;
  const act = (what: string, failed: string, call: () => Promise<unknown>): void =>
    run(what, async () => {
      await toasts.attempt(failed, call);
      reload();
    });
  const put = (given: { slot: string; quantity: number } | { all: true }) =>
    act('put', words.putFailed, async () => {
      const { result, says } = await api.putIntoSlot({ path: { id }, body: given });
      if (result === 'wrong_slot') toasts.show(says);
    });
  const isLive = state !== 'done';
  const complete = slots.filter((slot) => slot.state === 'complete');

  /** Frees only the slots that are shown as complete. Another one that has just become complete still holds its goods. */
  async function freeShown(): Promise<void> {
    for (const { slot } of complete) await api.freeSlot({ path: { id, slot } });
  }

  return (
    <div className={page.page}>
      <PageHeader title={words.title(id)}>
        <BackButton words={words.back} to={pageAddress('carts')} />
        {isLive && <Button icon={CircleStop} words={words.abort} needs={WORK} onPress={() => setAsksAbort(true)} />}
        {complete.length > 0 && (
          <Button
            icon={ArchiveRestore}
            words={words.free}
            needs={WORK}
            busy={running === 'free'}
            onPress={() => act('free', words.freeFailed, freeShown)}
          />
        )}
        {state === 'picking' && (
          <Button
            icon={Pause}
            words={words.pause}
            needs={WORK}
            busy={running === 'pause'}
            onPress={() => act('pause', words.pauseFailed, () => api.pauseBatch({ path: { id } }))}
          />
        )}
        {hands.length > 0 && (
          <Button
            icon={Hand}
            words={words.putAll}
            look="primary"
            needs={WORK}
            busy={running === 'put'}
            onPress={() => put({ all: true })}
          />
        )}
        {(state === 'picking' || state === 'sorting') && (
          <ButtonLink
            icon={PackageCheck}
            words={words.pick[batch.mode]}
            look={hands.length > 0 ? 'plain' : 'primary'}
            to={`/pick/${batch.mode}s/${batch[batch.mode]}`}
          />
        )}
        {(state === 'loading' || state === 'paused') && (
          <Button
            icon={Play}
            words={words.go}
            look="primary"
            needs={WORK}
            busy={running === 'go'}
            onPress={() => act('go', words.goFailed, () => api.launchBatch({ path: { id } }))}
          />
        )}
      </PageHeader>
      <main className={page.content}>
        <div className={`${page.inner} ${parts.column4}`}>
          <p className={parts.quiet}>
            {[
              words.note(batch.mode === 'wall' ? batch.wall_name : batch.cart_name, carts.batchStates[state]),
              ...(batch.picker === null ? [] : [words.picker(batch.picker)]),
            ].join(' · ')}
          </p>
          {!isLive && <p role="status">{words.isDone}</p>}
          <Lines
            label={words.hands}
            lines={hands.map(({ by, shares }) =>
              words.hand(by, shares.map((share) => `${share.slot ?? words.noSlot} ${share.quantity}`).join(' · ')),
            )}
          />
          <Lines
            label={words.putBack}
            lines={putBack.map((share) => words.putBackLine(share.order_number, share.put_back))}
          />
          <ul
            className={own.slots}
            aria-label={words.slots}
            style={{ gridTemplateColumns: `repeat(${columnsOf(slots)}, minmax(104px, 1fr))` }}
          >
            {slots.map((slot) => (
              <SlotTile
                key={slot.slot}
                slot={slot}
                put={(quantity) => put({ slot: slot.slot, quantity })}
                free={() => act('free', words.freeFailed, () => api.freeSlot({ path: { id, slot: slot.slot } }))}
              />
            ))}
          </ul>
        </div>
      </main>
      <ConfirmDialog
        title={words.abortTitle(id)}
        body={words.abortBody}
        confirm={words.abortConfirm}
        danger
        isOpen={asksAbort}
        onConfirm={async () => {
          await api.abortBatch({ path: { id } });
          reload();
        }}
        onClose={() => setAsksAbort(false)}
      />
    </div>
  );
}

function Lines({ label, lines }: { label: string; lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <section className={`${parts.panel} ${own.hands}`} aria-label={label}>
      <h2 className={parts.title}>{label}</h2>
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </section>
  );
}

const TONES = { free: 'open', open: 'lit', complete: 'done', stopped: 'alarm' } as const satisfies Record<
  Slot['state'],
  Tone
>;

function SlotTile({ slot, put, free }: { slot: Slot; put(quantity: number): void; free(): void }) {
  const { slot: name, state, order_number: order, shipment_number: shipment, tote, shares } = slot;
  const sum = (of: (share: Slot['shares'][number]) => number) => shares.reduce((total, share) => total + of(share), 0);
  const inHand = sum((share) => share.in_hand);
  const short = sum((share) => (share.state === 'short' ? share.quantity - share.picked : 0));
  const isShort = state === 'complete' && short > 0;
  return (
    <li className={own.tile} data-state={state} data-gets={inHand > 0 || undefined}>
      <p className={parts.title}>{name}</p>
      <StateTag tone={isShort ? 'care' : TONES[state]} words={isShort ? words.shorts : words.states[state]} wraps />
      {order !== null && <Link href={orderAddress(order)}>{order}</Link>}
      {shipment !== null && shipment !== order && <p className={parts.small}>{words.shipment(shipment)}</p>}
      {tote !== null && <p className={parts.small}>{words.tote(tote)}</p>}
      {shares.length > 0 && (
        <p className={parts.figures}>
          {words.put(
            sum((share) => share.put),
            sum((share) => share.quantity),
          )}
          {short > 0 && ` · ${words.short(short)}`}
        </p>
      )}
      {inHand > 0 && (
        <Button
          words={words.putHere(inHand)}
          aria-label={words.putInto(inHand, name)}
          look="primary"
          needs={WORK}
          onPress={() => put(inHand)}
        />
      )}
      {(state === 'complete' || state === 'stopped') && inHand === 0 && (
        <Button words={words.freeSlot} aria-label={words.freeOf(name)} needs={WORK} onPress={free} />
      )}
    </li>
  );
}

/** Returns the number of columns, which is the largest number in the slot names. */
function columnsOf(slots: readonly Slot[]): number {
  return Math.max(1, ...slots.map(({ slot }) => Number(slot.slice(1))));
}
