import { Delete, Minus, Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { Dialog } from '../../../kit/dialog/Dialog.tsx';
import { reasonWords } from '../../../shop/reasonWords.ts';
import { cartPick as words } from '../../../words/cartPick.ts';
import * as texts from '../../../words/texts.ts';
import { BigButton } from '../BigButton.tsx';
import { placeOf } from '../lines.ts';
import styles from '../Pick.module.css';
import { PAD_KEYS } from '../sessionTypes.ts';
import own from './Cart.module.css';
import type { CartQuestion, CartTouch } from './cartTypes.ts';
import { askedOf, countOf, openLines, otherHands, sumOf } from './cartView.ts';
import type { CartState } from './useCart.ts';

type Cart = { cart: CartState };
type About<Kind extends CartQuestion['kind']> = Cart & { question: Extract<CartQuestion, { kind: Kind }> };

/** What the page asks at a cart, one question at a time. */
export function CartQuestions({ cart }: Cart) {
  const { question } = cart.state;
  switch (question?.kind) {
    case 'short':
      return <ShortQuestion cart={cart} question={question} />;
    case 'pad':
      return <Pad cart={cart} question={question} />;
    case 'more':
      return <More cart={cart} />;
    case 'slot':
      return <SlotQuestion cart={cart} question={question} />;
    case 'takeOut':
      return <TakeOut cart={cart} question={question} />;
    case 'stopped':
      return <StoppedQuestion cart={cart} question={question} />;
    case 'hand':
      return <HandQuestion cart={cart} question={question} />;
    case 'addOrder':
      return (
        <Ask cart={cart} title={words.addOrder.title(question.orderNumber)}>
          <Answer cart={cart} isMain touch={{ touch: 'addOrder' }}>
            {words.addOrder.yes}
          </Answer>
          <Answer cart={cart} touch={{ touch: 'close' }}>
            {words.addOrder.no}
          </Answer>
        </Ask>
      );
    default:
      return null;
  }
}

function Ask({ cart, title, lead, children }: Cart & { title: string; lead?: ReactNode; children: ReactNode }) {
  return (
    <Dialog title={title} isOpen onClose={() => cart.touch({ touch: 'close' })} size="gloves">
      {lead}
      <div className={styles.choices} data-refused={cart.isRefused || undefined} data-deaf={cart.isDeaf || undefined}>
        {children}
      </div>
    </Dialog>
  );
}

function Answer({
  cart,
  touch,
  isMain = false,
  children,
}: Cart & { touch: CartTouch; isMain?: boolean; children: string }) {
  return (
    <BigButton look={isMain ? 'main' : 'plain'} onPress={() => cart.touch(touch)}>
      {children}
    </BigButton>
  );
}

/** Asks after a short: how many were found, which slots get them, and why. */
function ShortQuestion({ cart, question: { line, place, found, shares, isBooked } }: About<'short'>) {
  const { touch } = cart;
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
          <ul className={own.givers} aria-label={words.shortDialog.who} data-refused={cart.isRefused || undefined}>
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
      <div className={styles.choices} data-refused={cart.isRefused || undefined} data-deaf={cart.isDeaf || undefined}>
        {cart.reasons.map((reason) => (
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

function Pad({ cart, question: { line, text } }: About<'pad'>) {
  const { state, touch } = cart;
  return (
    <Dialog title={texts.pick.pad.title(placeOf(line))} isOpen onClose={() => touch({ touch: 'close' })} size="gloves">
      <div className={styles.pad} data-refused={cart.isRefused || undefined} data-deaf={cart.isDeaf || undefined}>
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

function More({ cart }: Cart) {
  const { state, view } = cart;
  const undo = state.undos.at(-1);
  const line = view === undefined ? undefined : openLines(state, view)[0];
  const isWalk = cart.part.kind === 'walk';
  return (
    <Ask cart={cart} title={state.carrier?.name ?? ''}>
      {undo !== undefined && (
        <Answer cart={cart} touch={{ touch: 'undo' }}>
          {words.moreDialog.undo(undo.place)}
        </Answer>
      )}
      {isWalk && line !== undefined && (
        <Answer cart={cart} touch={{ touch: 'skip' }}>
          {words.moreDialog.skip}
        </Answer>
      )}
      <Answer cart={cart} touch={{ touch: 'slots' }}>
        {words.moreDialog.slots}
      </Answer>
      {view?.batch.state === 'picking' && (
        <Answer cart={cart} touch={{ touch: 'pause' }}>
          {words.moreDialog.pause}
        </Answer>
      )}
      <Answer cart={cart} touch={{ touch: 'leave' }}>
        {words.moreDialog.leave}
      </Answer>
    </Ask>
  );
}

function SlotQuestion({ cart, question: { slot: name } }: About<'slot'>) {
  const slot = cart.view?.batch.slots.find(({ slot }) => slot === name);
  if (slot === undefined) return null;
  const { state, order_number: order, shares } = slot;
  const put = shares.reduce((sum, share) => sum + share.put, 0);
  const all = shares.reduce((sum, share) => sum + share.quantity, 0);
  const says = order === null ? words.free(name) : words.contents(name, order, put, all);
  const isHeld = shares.some((share) => share.in_hand > 0);
  return (
    <Ask cart={cart} title={words.slotDialog.slotTitle(name)} lead={<p className={styles.says}>{says}</p>}>
      {state === 'open' && (
        <Answer cart={cart} touch={{ touch: 'full', slot: name }}>
          {words.slotDialog.full}
        </Answer>
      )}
      {(state === 'open' || state === 'complete') && (
        <Answer cart={cart} touch={{ touch: 'askMove', slot: name }}>
          {words.slotDialog.move}
        </Answer>
      )}
      {state === 'complete' && (
        <Answer cart={cart} touch={{ touch: 'free', slot: name }}>
          {words.slotDialog.free}
        </Answer>
      )}
      {(state === 'open' || state === 'complete') && !isHeld && (
        <Answer cart={cart} touch={{ touch: 'askTakeOut', slot: name }}>
          {words.slotDialog.takeOut}
        </Answer>
      )}
      <Answer cart={cart} touch={{ touch: 'close' }}>
        {words.slotDialog.back}
      </Answer>
    </Ask>
  );
}

function TakeOut({ cart, question: { slot: name } }: About<'takeOut'>) {
  const order = cart.view?.batch.slots.find(({ slot }) => slot === name)?.order_number ?? '';
  return (
    <Ask
      cart={cart}
      title={words.slotDialog.takeOutTitle(order)}
      lead={<p className={styles.says}>{words.slotDialog.takeOutLead}</p>}
    >
      <Answer cart={cart} touch={{ touch: 'takeOut', slot: name }}>
        {words.slotDialog.takeOutYes}
      </Answer>
      <Answer cart={cart} touch={{ touch: 'close' }}>
        {words.slotDialog.back}
      </Answer>
    </Ask>
  );
}

function StoppedQuestion({ cart, question: { slot: name } }: About<'stopped'>) {
  const slot = cart.view?.batch.slots.find(({ slot }) => slot === name);
  const count = slot?.shares.reduce((sum, share) => sum + share.put, 0) ?? 0;
  return (
    <Ask
      cart={cart}
      title={words.stopped.title(name)}
      lead={<p className={styles.says}>{words.stopped.lead(slot?.order_number ?? '', count)}</p>}
    >
      <Answer cart={cart} touch={{ touch: 'free', slot: name }}>
        {words.stopped.putBack}
      </Answer>
      <Answer cart={cart} touch={{ touch: 'keep', slot: name }}>
        {words.stopped.keep}
      </Answer>
    </Ask>
  );
}

function HandQuestion({ cart, question: { by } }: About<'hand'>) {
  const { state, view } = cart;
  const hand = view === undefined ? undefined : otherHands(state, view).find((each) => each.by === by);
  const shares = hand?.shares ?? [];
  const held = new Map<string, number>();
  for (const { item_id: item, quantity } of shares) {
    const name = state.names.get(item) ?? '';
    held.set(name, (held.get(name) ?? 0) + quantity);
  }
  return (
    <Ask
      cart={cart}
      title={words.hand.title(by, sumOf(shares))}
      lead={<p className={styles.says}>{[...held].map(([name, count]) => `${count} ${name}`.trim()).join(', ')}</p>}
    >
      <Answer cart={cart} touch={{ touch: 'hand', what: 'take' }}>
        {words.hand.take}
      </Answer>
      <Answer cart={cart} touch={{ touch: 'hand', what: 'missing' }}>
        {words.hand.missing}
      </Answer>
      <Answer cart={cart} touch={{ touch: 'hand', what: 'put_back' }}>
        {words.hand.putBack}
      </Answer>
    </Ask>
  );
}
