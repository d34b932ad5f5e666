import { ScanBarcode, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Item, Order } from '#shared/api/order.ts';
import { Unbroken } from '../../kit/Unbroken.tsx';
import { useIsLocked } from '../../station/context.ts';
import * as texts from '../../words/texts.ts';
import { BigButton } from './BigButton.tsx';
import { Actions, Instruction } from './Instruction.tsx';
import { durationWords, progressOf } from './session/lines.ts';
import { Next } from './Next.tsx';
import styles from './Pick.module.css';
import { nameOfItem, type Touch } from './session/sessionTypes.ts';
import type { PickState } from './usePick.ts';
import { Unanswered } from './whose/PressNotices.tsx';

const words = texts.pick;

/** Shows the instruction, or the reason why there is none. */
export function PickBody({ pick }: { pick: PickState }) {
  const { part, order, orderNumber, me } = pick;
  switch (part.kind) {
    case 'loading':
      return <p className={styles.waiting}>{pick.failure ?? texts.frame.loading}</p>;
    case 'missing':
      return <Plain pick={pick} title={words.missing(orderNumber)} />;
    case 'removed':
      return <Plain pick={pick} title={words.message.removed(orderNumber)} />;
    case 'aborted':
      return <Plain pick={pick} title={words.message.aborted(orderNumber)} />;
    case 'verify':
      return <Verify pick={pick} item={part.item} />;
    case 'line':
      return (
        <div className={styles.columns}>
          <div className={styles.scroll}>
            <Instruction pick={pick} line={part.line} />
            {order !== undefined && <Next pick={pick} order={order} />}
          </div>
          <Actions pick={pick} line={part.line} />
        </div>
      );
    case 'sending':
      return <Center title={pick.isLost ? words.keptHere : words.sending}>{null}</Center>;
    case 'done':
      return order === undefined ? null : <Done pick={pick} order={order} />;
    case 'take':
    case 'paused': {
      const isPaused = part.kind === 'paused';
      const take = order?.state === 'open' ? words.choose.begin : words.choose.goOn;
      return (
        <Center title={isPaused ? words.paused.title : words.order(orderNumber)}>
          {isPaused && (
            <p className={styles.says}>
              <Unbroken>{words.paused.lead(orderNumber)}</Unbroken>
            </p>
          )}
          <Choices pick={pick}>
            <Choice pick={pick} isMain touch="take">
              {isPaused ? words.paused.goOn : take(orderNumber)}
            </Choice>
            <Choice pick={pick} touch="choose">
              {words.paused.other}
            </Choice>
          </Choices>
        </Center>
      );
    }
    case 'nothing': {
      const others = order?.pickers.filter(({ name }) => name !== me).map(({ name }) => name) ?? [];
      return (
        <Center title={words.nothing.title}>
          <p className={styles.says}>{others.length > 0 ? words.done.helped(others.join(', ')) : words.nothing.lead}</p>
          <Choices pick={pick}>
            <Choice pick={pick} isMain touch="choose">
              {words.nothing.other}
            </Choice>
            <Choice pick={pick} touch="relight">
              {words.nothing.relight}
            </Choice>
          </Choices>
        </Center>
      );
    }
  }
}

type Pick = { pick: PickState };

function Center({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={styles.center}>
      <h2 className={styles.question}>
        <Unbroken>{title}</Unbroken>
      </h2>
      {children}
    </div>
  );
}

function Choices({ pick, children }: Pick & { children: ReactNode }) {
  return (
    <div className={styles.choices} data-refused={pick.isRefused || undefined}>
      {children}
    </div>
  );
}

/** A button below the message. The main button gets the focus, so that Enter continues. */
function Choice({
  pick,
  isMain = false,
  touch,
  children,
}: Pick & { isMain?: boolean; touch: 'take' | 'choose' | 'relight' | 'print' | 'cannotScan'; children: string }) {
  return (
    <BigButton
      look={isMain ? 'main' : 'plain'}
      autoFocus={isMain}
      {...(pick.isInert ? { 'data-inert': true } : {})}
      onPress={() => pick.touch({ touch } satisfies Touch)}
    >
      {children}
    </BigButton>
  );
}

/** A message with a button for choosing another order. */
function Plain({ pick, title }: Pick & { title: string }) {
  return (
    <Center title={title}>
      <Choices pick={pick}>
        <Choice pick={pick} isMain touch="choose">
          {words.paused.other}
        </Choice>
      </Choices>
    </Center>
  );
}

/** Shows that the order is complete, and how many pieces are missing. The button for the next order has the focus. */
function Done({ pick, order }: Pick & { order: Order }) {
  const isLocked = useIsLocked();
  const { items, lines, shorts } = progressOf(order);
  const left = items.filter(({ state }) => state !== 'done');
  const missing = left.reduce((sum, item) => sum + Math.max(0, item.ordered_quantity - item.quantity_fulfilled), 0);
  const took =
    Date.parse(order.fulfilled_time ?? order.created_time) - Date.parse(order.launched_time ?? order.created_time);
  return (
    <Center title={(missing > 0 ? words.done.shortTitle : words.done.title)(order.order_number)}>
      {missing > 0 && (
        <p className={styles.missing}>
          <TriangleAlert size="1em" aria-hidden="true" />
          {words.done.missing(missing)}
        </p>
      )}
      <p className={styles.says}>{words.done.lines(lines, shorts, durationWords(took))}</p>
      {left.length > 0 && (
        <ul className={styles.left}>
          {left.map((item) => (
            <li key={item.id}>{words.done.left(nameOfItem(item), item.quantity_fulfilled, item.ordered_quantity)}</li>
          ))}
        </ul>
      )}
      <Unanswered notices={pick.unanswered} className={styles.says} />
      <Choices pick={pick}>
        <Choice pick={pick} isMain touch="choose">
          {words.done.next}
        </Choice>
        {/* A kiosk cannot open the print view, which is another page. */}
        {!isLocked && (
          <Choice pick={pick} touch="print">
            {words.done.print}
          </Choice>
        )}
      </Choices>
    </Center>
  );
}

/** Asks for a scan of the article, after its place was confirmed. */
function Verify({ pick, item }: Pick & { item: Item }) {
  return (
    <div className={styles.center}>
      <ScanBarcode className={styles.sign ?? ''} size={72} aria-hidden="true" />
      <h2 className={styles.question}>{words.verify.title}</h2>
      <p className={styles.name}>{nameOfItem(item)}</p>
      <p className={styles.says}>
        {[item.SKU, item.UPC].filter((code) => code !== undefined && code !== '').join(' · ')}
      </p>
      <Choices pick={pick}>
        <Choice pick={pick} touch="cannotScan">
          {words.verify.skip}
        </Choice>
      </Choices>
    </div>
  );
}
