import { HastyDialog } from '../HastyDialog.tsx';
import { Delete, Minus, Plus } from 'lucide-react';
import type { Batch } from '#shared/api/batch.ts';
import { Dialog } from '../../../kit/dialog/Dialog.tsx';
import { reasonWords } from '../../../shop/reasonWords.ts';
import { wallPick } from '../../../words/wallPick.ts';
import { cartPick as words } from '../../../words/cartPick.ts';
import * as texts from '../../../words/texts.ts';
import { BigButton } from '../BigButton.tsx';
import { placeOf } from '../session/lines.ts';
import styles from '../Pick.module.css';
import { PAD_KEYS } from '../session/sessionTypes.ts';
import own from './Batch.module.css';
import { type About, Answer, Ask, type InMode } from './BatchDialog.tsx';
import { othersWords } from './BatchNotes.tsx';
import { isOfOthers, othersIn, receiversOf, placesOfOthers } from './batchPeople.ts';
import type { BatchShare } from './batchTypes.ts';
import { WallQuestions } from './WallQuestions.tsx';
import { askedOf, bySlot, countOf, myPieces, openLines, otherHands } from './batchPart.ts';
import { sumOf } from './batchView.ts';

/** Shows the dialog of the open question at a cart. */
export function BatchQuestions({ mode }: InMode) {
  const { question } = mode.state;
  switch (question?.kind) {
    case 'short':
      return <ShortQuestion mode={mode} question={question} />;
    case 'pad':
      return <Pad mode={mode} question={question} />;
    case 'differs':
    case 'putDiffers':
      return (
        <Ask mode={mode} title={texts.pick.differs.title(question.booked, question.typed)}>
          <TwoNumbers mode={mode} typed={question.typed} other={question.booked} />
        </Ask>
      );
    case 'mine':
      return (
        <Ask mode={mode} title={texts.pick.whose.howMany(question.notice.place)}>
          <TwoNumbers mode={mode} typed={question.own.typed} other={question.own.asked} />
        </Ask>
      );
    case 'more':
      return <More mode={mode} />;
    case 'hasty':
      return (
        <HastyDialog
          places={question.asked.map(({ place }) => place)}
          state={{ 'data-inert': mode.isInert || undefined, 'data-refused': mode.isRefused || undefined }}
          close={() => mode.touch({ touch: 'close' })}
          undoAll={() => mode.touch({ touch: 'undoAll' })}
        />
      );
    case 'slot':
      return <SlotQuestion mode={mode} question={question} />;
    case 'takeOut':
      return <TakeOut mode={mode} question={question} />;
    case 'stopped':
      return <StoppedQuestion mode={mode} question={question} />;
    case 'pauseHolding':
      return <PauseHolding mode={mode} />;
    case 'hand':
      return <HandQuestion mode={mode} question={question} />;
    case 'join':
      return (
        <Ask mode={mode} title={othersWords(mode)}>
          <Answer mode={mode} isMain touch={{ touch: 'join' }}>
            {words.people.join}
          </Answer>
          <Answer mode={mode} touch={{ touch: 'close' }}>
            {words.people.look}
          </Answer>
        </Ask>
      );
    case 'addOrder':
      return (
        <Ask mode={mode} title={(mode.state.kind === 'wall' ? wallPick : words).addOrder.title(question.orderNumber)}>
          <Answer mode={mode} isMain touch={{ touch: 'addOrder' }}>
            {words.addOrder.yes}
          </Answer>
          <Answer mode={mode} touch={{ touch: 'close' }}>
            {words.addOrder.no}
          </Answer>
        </Ask>
      );
    default:
      return <WallQuestions mode={mode} />;
  }
}

function TwoNumbers({ mode, typed, other }: InMode & { typed: number; other: number }) {
  return (
    <>
      <Answer mode={mode} touch={{ touch: 'bookTyped' }}>
        {String(typed)}
      </Answer>
      <Answer mode={mode} touch={{ touch: 'takeBooked' }}>
        {String(other)}
      </Answer>
    </>
  );
}

/**
 * Asks what to do about a place with too few pieces: how many were found, which slots get them, and why some are
 * missing.
 */
function ShortQuestion({ mode, question: { line, place, found, shares, isBooked } }: About<'short'>) {
  const { touch } = mode;
  const asked = askedOf(line);
  const needs = line.shares ?? [];
  const title = isBooked ? words.shortDialog.booked(sumOf(shares), asked, place) : words.shortDialog.title(place);
  return (
    <Dialog title={title} isOpen onClose={() => touch({ touch: 'close' })} size="gloves">
      {!isBooked && (
        <>
          <p className={styles.says}>{words.shortDialog.found}</p>
          <div className={styles.found}>
            <Step
              label={texts.pick.less}
              icon={Minus}
              isOff={found === 0}
              step={() => touch({ touch: 'found', by: -1 })}
            />
            <output className={styles.foundCount}>{found}</output>
            <Step
              label={texts.pick.more}
              icon={Plus}
              isOff={found >= asked}
              step={() => touch({ touch: 'found', by: 1 })}
            />
          </div>
        </>
      )}
      {needs.length > 1 && sumOf(shares) > 0 && (
        <>
          <ul className={own.givers} aria-label={words.shortDialog.who} data-refused={mode.isRefused || undefined}>
            {shares.map(({ slot, item_id: item, quantity }, at) => {
              const need = needs[at]?.quantity ?? 0;
              return quantity < need ? (
                <li key={`${slot} ${item}`}>
                  <Step
                    label={words.shortDialog.fewer(slot ?? '')}
                    icon={Minus}
                    isOff={quantity === 0}
                    step={() => touch({ touch: 'give', at, by: -1 })}
                  />
                  <span>{words.shortDialog.row(slot ?? '', quantity, need)}</span>
                  <Step
                    label={words.shortDialog.more(slot ?? '')}
                    icon={Plus}
                    isOff={false}
                    step={() => touch({ touch: 'give', at, by: 1 })}
                  />
                </li>
              ) : null;
            })}
          </ul>
        </>
      )}
      <p className={styles.says}>{words.shortDialog.why}</p>
      <div className={styles.choices} data-refused={mode.isRefused || undefined} data-inert={mode.isInert || undefined}>
        {mode.reasons.map((reason) => (
          <BigButton
            key={reason.key}
            isDisabled={!isBooked && found >= asked}
            onPress={() => touch({ touch: 'reason', reason: reason.key })}
          >
            {reasonWords(reason)}
          </BigButton>
        ))}
      </div>
    </Dialog>
  );
}

function Step({ label, icon, isOff, step }: { label: string; icon: typeof Minus; isOff: boolean; step(): void }) {
  return (
    <BigButton aria-label={label} icon={icon} isDisabled={isOff} onPress={step}>
      {''}
    </BigButton>
  );
}

function Pad({ mode, question: { line, text } }: About<'pad'>) {
  const { state, touch } = mode;
  return (
    <Dialog title={texts.pick.pad.title(placeOf(line))} isOpen onClose={() => touch({ touch: 'close' })} size="gloves">
      <div className={styles.pad} data-refused={mode.isRefused || undefined} data-inert={mode.isInert || undefined}>
        <p className={styles.padCount}>
          <output className={text === '' ? styles.quiet : undefined}>
            {text === '' ? countOf(state, line) : text}
          </output>
          <span className={styles.quiet}>{texts.pick.of(askedOf(line))}</span>
        </p>
        <div className={styles.padKeys}>
          {PAD_KEYS.map((key) => (
            <BigButton
              key={key}
              {...(key === 'delete' ? { icon: Delete, 'aria-label': texts.pick.pad.delete } : {})}
              onPress={() => touch({ touch: 'padKey', key })}
            >
              {key === 'delete' ? '' : key}
            </BigButton>
          ))}
          <BigButton look="main" autoFocus onPress={() => touch({ touch: 'enterPad' })}>
            {texts.pick.pad.ok}
          </BigButton>
        </div>
      </div>
    </Dialog>
  );
}

function More({ mode }: InMode) {
  const { state, view } = mode;
  const undo = state.undos.at(-1);
  const line = view === undefined ? undefined : openLines(state, view)[0];
  const isWalk = mode.part.kind === 'walk';
  return (
    <Ask mode={mode} title={state.carrier?.name ?? ''}>
      {undo !== undefined && (
        <Answer mode={mode} touch={{ touch: 'undo' }}>
          {words.moreDialog.undo(undo.place)}
        </Answer>
      )}
      {isWalk && line !== undefined && (
        <Answer mode={mode} touch={{ touch: 'skip' }}>
          {words.moreDialog.skip}
        </Answer>
      )}
      {state.kind === 'wall' &&
        view !== undefined &&
        otherHands(state, view).map(({ by, shares }) => (
          <Answer key={by} mode={mode} touch={{ touch: 'askHand', by }}>
            {wallPick.hand.settle(by, words.listed(bySlot(shares)))}
          </Answer>
        ))}
      <Answer mode={mode} touch={{ touch: 'slots' }}>
        {words.moreDialog.slots}
      </Answer>
      {view !== undefined && isPausable(state.me, view.batch) && (
        <Answer mode={mode} touch={{ touch: 'pause' }}>
          {pauseWords(mode, view.batch)}
        </Answer>
      )}
      {view !== undefined &&
        receiversOf(state.me, view).map((to) => (
          <Answer key={to} mode={mode} touch={{ touch: 'handOver', to }}>
            {words.people.handOver(to)}
          </Answer>
        ))}
      {mode.part.kind === 'others' && !mode.part.isIn && typeof view?.batch.picker === 'string' && (
        <Answer mode={mode} touch={{ touch: 'go' }}>
          {words.people.takeOver(view.batch.picker)}
        </Answer>
      )}
      {mode.part.kind === 'others' &&
        mode.part.isIn &&
        view !== undefined &&
        placesOfOthers(state.me, view.lines).map(({ name }) => (
          <Answer key={name} mode={mode} touch={{ touch: 'takeFrom', from: name }}>
            {words.people.takeOver(name)}
          </Answer>
        ))}
      <Answer mode={mode} touch={{ touch: 'leave' }}>
        {(state.kind === 'wall' ? wallPick : words).moreDialog.leave}
      </Answer>
    </Ask>
  );
}

/** Whether this person can pause the batch. This is not possible while only others pick it. */
const isPausable = (me: string, batch: Batch): boolean =>
  batch.state === 'sorting' || (batch.state === 'picking' && !isOfOthers(me, batch));

function pauseWords({ state: { kind, me } }: InMode['mode'], batch: Batch): string {
  const others = batch.state === 'picking' ? othersIn(me, batch) : [];
  if (others.length > 0) return words.moreDialog.pauseMine(others);
  return (kind === 'wall' ? wallPick : words).moreDialog.pause;
}

function SlotQuestion({ mode, question: { slot: name } }: About<'slot'>) {
  const slot = mode.view?.batch.slots.find(({ slot }) => slot === name);
  if (slot === undefined) return null;
  const { state, order_number: order, shares } = slot;
  const put = shares.reduce((sum, share) => sum + share.put, 0);
  const all = shares.reduce((sum, share) => sum + share.quantity, 0);
  const says = order === null ? words.free(name) : words.contents(name, order, put, all);
  const isHeld = shares.some((share) => share.in_hand > 0);
  return (
    <Ask
      mode={mode}
      title={words.slotDialog.slotTitle(name)}
      lead={
        <>
          <p className={styles.says}>{says}</p>
          <ul className={own.contents}>
            {shares.map((share) => (
              <li key={share.item_id} data-short={share.state === 'short' || undefined}>
                {contentWords(share, mode.state.names.get(share.item_id) ?? '')}
              </li>
            ))}
          </ul>
        </>
      }
    >
      {state === 'complete' && (
        <Answer mode={mode} isMain touch={{ touch: 'free', slot: name }}>
          {words.slotDialog.free}
        </Answer>
      )}
      {state === 'open' && (
        <Answer mode={mode} touch={{ touch: 'full', slot: name }}>
          {words.slotDialog.full}
        </Answer>
      )}
      {(state === 'open' || state === 'complete') && (
        <Answer mode={mode} touch={{ touch: 'askMove', slot: name }}>
          {words.slotDialog.move}
        </Answer>
      )}
      {(state === 'open' || state === 'complete') && !isHeld && (
        <Answer mode={mode} touch={{ touch: 'askTakeOut', slot: name }}>
          {(mode.state.kind === 'wall' ? wallPick : words).slotDialog.takeOut}
        </Answer>
      )}
      <Answer mode={mode} touch={{ touch: 'close' }}>
        {words.slotDialog.back}
      </Answer>
    </Ask>
  );
}

function contentWords({ put, quantity, state }: BatchShare, name: string): string {
  const message = wallPick.contents.line(put, quantity, name).trim();
  return state === 'short' ? `${message} (${wallPick.contents.short})` : message;
}

function TakeOut({ mode, question: { slot: name } }: About<'takeOut'>) {
  const order = mode.view?.batch.slots.find(({ slot }) => slot === name)?.order_number ?? '';
  const carried = (mode.state.kind === 'wall' ? wallPick : words).slotDialog;
  return (
    <Ask
      mode={mode}
      title={carried.takeOutTitle(order)}
      lead={<p className={styles.says}>{words.slotDialog.takeOutLead}</p>}
    >
      <Answer mode={mode} touch={{ touch: 'takeOut', slot: name }}>
        {carried.takeOutYes}
      </Answer>
      <Answer mode={mode} touch={{ touch: 'close' }}>
        {words.slotDialog.back}
      </Answer>
    </Ask>
  );
}

function StoppedQuestion({ mode, question: { slot: name } }: About<'stopped'>) {
  const slot = mode.view?.batch.slots.find(({ slot }) => slot === name);
  const count = slot?.shares.reduce((sum, share) => sum + share.put, 0) ?? 0;
  return (
    <Ask
      mode={mode}
      title={words.stopped.title(name)}
      lead={<p className={styles.says}>{words.stopped.lead(slot?.order_number ?? '', count)}</p>}
    >
      <Answer mode={mode} touch={{ touch: 'free', slot: name }}>
        {words.stopped.putBack}
      </Answer>
      <Answer mode={mode} touch={{ touch: 'keep', slot: name }}>
        {words.stopped.keep}
      </Answer>
    </Ask>
  );
}

/** Asks a person who holds pieces to put them before pausing. */
function PauseHolding({ mode }: InMode) {
  const { state, view } = mode;
  const slots = view === undefined ? [] : bySlot(myPieces(state, view));
  return (
    <Ask
      mode={mode}
      title={words.hand.fullHands}
      lead={<p className={styles.says}>{words.hand.mine(words.listed(slots))}</p>}
    >
      <Answer mode={mode} isMain touch={{ touch: 'close' }}>
        {words.hand.putFirst}
      </Answer>
      <Answer mode={mode} touch={{ touch: 'pauseAnyway' }}>
        {words.hand.pauseAnyway}
      </Answer>
    </Ask>
  );
}

function HandQuestion({ mode, question: { by } }: About<'hand'>) {
  const { state, view } = mode;
  const hand = view === undefined ? undefined : otherHands(state, view).find((each) => each.by === by);
  const shares = hand?.shares ?? [];
  const held = new Map<string, number>();
  for (const { item_id: item, quantity } of shares) {
    const name = state.names.get(item) ?? '';
    held.set(name, (held.get(name) ?? 0) + quantity);
  }
  const isWall = state.kind === 'wall';
  const [only, ...more] = held;
  const what =
    only === undefined || more.length > 0 || only[0] === ''
      ? words.hand.pieces(sumOf(shares))
      : `${only[1]} ${only[0]}`;
  return (
    <Ask
      mode={mode}
      title={isWall ? wallPick.hand.title(by, words.listed(bySlot(shares))) : words.hand.title(by, what)}
      lead={
        (isWall || more.length > 0) && (
          <p className={styles.says}>{[...held].map(([name, count]) => `${count} ${name}`.trim()).join(', ')}</p>
        )
      }
    >
      <Answer mode={mode} touch={{ touch: 'hand', what: 'take' }}>
        {words.hand.take}
      </Answer>
      {isWall && (
        <Answer mode={mode} touch={{ touch: 'hand', what: 'set_aside' }}>
          {wallPick.hand.setAside}
        </Answer>
      )}
      {!isWall && (
        <Answer mode={mode} touch={{ touch: 'hand', what: 'missing' }}>
          {words.hand.missing}
        </Answer>
      )}
      {!isWall && (
        <Answer mode={mode} touch={{ touch: 'hand', what: 'put_back' }}>
          {words.hand.putBack}
        </Answer>
      )}
    </Ask>
  );
}
