import { ScanBarcode } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import type { Item } from '#shared/api/order.ts';
import type { ScanResult } from '#shared/api/picking.ts';
import { useScans } from '../../scan/useScans.ts';
import { useAnswerSounds } from '../../sound/answerSounds.ts';
import { orderPrintAddress } from '../../station/addresses.ts';
import { useIsLocked, useStationContext } from '../../station/context.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { texts } from '../../ui/texts.ts';
import { isTypedIn } from '../../ui/SearchBox.tsx';
import { useSingleKeys } from '../../ui/useSingleKeys.ts';
import { TourSlot } from '../tour/TourSlot.tsx';
import { BigButton } from './BigButton.tsx';
import { BottomLine } from './BottomLine.tsx';
import { Instruction } from './Instruction.tsx';
import { JoinDialog, useJoin } from './JoinDialog.tsx';
import { dueWords, durationWords, placeOf, progressOf } from './lines.ts';
import { MoreDialog } from './MoreDialog.tsx';
import { Next } from './Next.tsx';
import { Frame } from './Frame.tsx';
import styles from './Pick.module.css';
import { ShortDialog } from './ShortDialog.tsx';
import type { Confirmations } from './useConfirmations.ts';
import { nameOfItem, type PickMessage, usePick } from './usePick.ts';
import { useTwin } from './useTwin.ts';

const words = texts.pick;

type Props = { orderNumber: string; open(orderNumber: string | undefined, says?: PickMessage): void };

/** `said`: what happened just before. */
type OrderProps = Props & { kept: Confirmations; said: PickMessage | undefined };

/** One order, line by line. */
export function PickOrder({ orderNumber, open, kept, said }: OrderProps) {
  const join = useJoin(open);
  const pick = usePick(orderNumber, kept, { said, scannedOrder });
  const { current } = pick;
  const [dialog, setDialog] = useState<'short' | 'more'>();
  const hasTwin = useTwin(orderNumber);
  const itemId = current?.item_id;
  // The line of an open dialog was picked at the shelf meanwhile.
  const [dialogOf, setDialogOf] = useState(itemId);
  if (dialog !== undefined && dialogOf !== itemId) setDialog(undefined);

  /** The station has given it to me, or says who picks it. */
  function scannedOrder({ order_number: number, taken, pickers, says }: ScanResult): void {
    if (number === null) return;
    if (!taken && pickers.length > 0) return join.ask(number, says);
    const isThis = number === orderNumber;
    const text = isThis || current === undefined ? says : words.said.switched(number, orderNumber);
    const message: PickMessage = { kind: taken ? 'right' : 'wrong', text };
    pick.say(message);
    if (taken && !isThis) open(number, message);
  }

  function show(which: 'short' | 'more'): void {
    if (current === undefined) return;
    setDialogOf(itemId);
    setDialog(which);
  }

  useScans((scan) => void pick.scan(scan), { repeats: false });
  useSingleKeys((key) => {
    if (dialog !== undefined) return undefined;
    if (key.toLowerCase() === 'u') return () => void pick.undo();
    // The next line is not on the page while an article is asked for.
    if (current === undefined || pick.unverified !== undefined) return undefined;
    if (/\d/.test(key)) return () => pick.type(Number(key));
    const actions: Partial<Record<string, () => void>> = {
      '+': () => pick.adjust(1),
      '-': () => pick.adjust(-1),
      s: () => show('short'),
    };
    return actions[key.toLowerCase()];
  }, isTypedIn);

  const order = pick.order.value;
  const due = order?.due_time;
  return (
    <Frame
      title={words.title}
      note={`${words.order(orderNumber)}${due === null || due === undefined ? '' : ` · ${words.due(dueWords(due))}`}`}
      beside={<TourSlot orderNumber={orderNumber} lines={pick.isLoaded ? pick.lines : undefined} />}
      bottom={
        <BottomLine
          message={
            kept.waiting ??
            (order === undefined ? undefined : pick.message) ??
            (hasTwin ? { kind: 'note', text: words.said.twoTabs } : undefined)
          }
          dismiss={pick.dismiss}
          undo={() => void pick.undo()}
        />
      }
    >
      <Body pick={pick} orderNumber={orderNumber} join={join} open={open} show={show} />
      {current !== undefined && (
        <>
          <ShortDialog
            key={`short ${itemId} ${dialog === 'short'}`}
            line={current}
            pick={pick}
            isOpen={dialog === 'short'}
            close={() => setDialog(undefined)}
          />
          <MoreDialog
            key={`more ${itemId}`}
            line={current}
            pick={pick}
            orderNumber={orderNumber}
            isOpen={dialog === 'more'}
            close={() => setDialog(undefined)}
            open={open}
          />
        </>
      )}
      <JoinDialog join={join} />
      <Dialog
        title={words.ambiguous}
        isOpen={pick.candidates.length > 0}
        onClose={() => pick.choose(undefined)}
        size="gloves"
      >
        <div className={styles.choices}>
          {pick.candidates.map((candidate) => (
            <BigButton key={candidate.command_id} hint={candidate.text} onPress={() => pick.choose(candidate)}>
              {placeOf(candidate)}
              {candidate.quantity === null ? '' : ` · ${candidate.quantity}`}
            </BigButton>
          ))}
        </div>
      </Dialog>
    </Frame>
  );
}

type BodyProps = Props & {
  pick: ReturnType<typeof usePick>;
  join: ReturnType<typeof useJoin>;
  show(which: 'short' | 'more'): void;
};

/** The instruction, or why there is none. */
function Body({ pick, orderNumber, join, open, show }: BodyProps) {
  const { order, current, me } = pick;
  if (order.isMissing)
    return <Plain title={pick.wasOpen ? words.said.removed(orderNumber) : words.missing(orderNumber)} open={open} />;
  if (!pick.isLoaded || order.value === undefined) {
    return <p className={styles.waiting}>{order.failure === '' ? texts.frame.loading : order.failure}</p>;
  }
  const { state, pickers } = order.value;
  const mine = pickers.find(({ name }) => name === me);
  if (state === 'aborted') return <Plain title={words.said.aborted(orderNumber)} open={open} />;
  if (pick.unverified !== undefined) return <Verify pick={pick} item={pick.unverified} />;
  if (current !== undefined) {
    return (
      <div className={styles.columns}>
        <Instruction pick={pick} line={current} show={show} />
        <Next pick={pick} order={order.value} />
      </div>
    );
  }
  if (state === 'fulfilled') return <Done pick={pick} orderNumber={orderNumber} open={open} />;
  if (mine === undefined || mine.paused)
    return <Take pick={pick} orderNumber={orderNumber} join={join} isPaused={mine?.paused === true} open={open} />;
  return <Nothing pick={pick} orderNumber={orderNumber} open={open} />;
}

/** A sentence and the way to another order. */
function Plain({ title, open }: { title: string; open: Props['open'] }) {
  return (
    <div className={styles.centre}>
      <h2 className={styles.question}>{title}</h2>
      <BigButton look="main" autoFocus onPress={() => open(undefined)}>
        {words.paused.other}
      </BigButton>
    </div>
  );
}

/** The order is not in my hands: it is paused, or was only opened. */
function Take({ pick, orderNumber, join, isPaused, open }: Omit<BodyProps, 'show'> & { isPaused: boolean }) {
  const { api } = useStationContext();
  const others = pick.order.value?.pickers.filter(({ name }) => name !== pick.me) ?? [];

  function take(): void {
    if (others.length > 0 && !isPaused) {
      const names = others.map(({ name }) => name).join(', ');
      return join.ask(orderNumber, words.done.helped(names));
    }
    void pick.attempt(words.choose.failed, () => api.launchOrder(orderNumber, { picker: pick.me }));
  }

  return (
    <div className={styles.centre}>
      <h2 className={styles.question}>{isPaused ? words.paused.title : words.order(orderNumber)}</h2>
      {isPaused && <p className={styles.says}>{words.paused.lead(orderNumber)}</p>}
      <div className={styles.choices}>
        <BigButton look="main" autoFocus onPress={take}>
          {isPaused ? words.paused.goOn : words.choose.goOn(orderNumber)}
        </BigButton>
        <BigButton onPress={() => open(undefined)}>{words.paused.other}</BigButton>
      </div>
    </div>
  );
}

/** Nothing of a live order is lit for me. */
function Nothing({ pick, orderNumber, open }: Omit<BodyProps, 'show' | 'join'>) {
  const { api } = useStationContext();
  const others = pick.order.value?.pickers.filter(({ name }) => name !== pick.me).map(({ name }) => name) ?? [];
  return (
    <div className={styles.centre}>
      <h2 className={styles.question}>{words.nothing.title}</h2>
      <p className={styles.says}>{others.length > 0 ? words.done.helped(others.join(', ')) : words.nothing.lead}</p>
      <div className={styles.choices}>
        <BigButton look="main" autoFocus onPress={() => open(undefined)}>
          {words.nothing.other}
        </BigButton>
        <BigButton
          onPress={() => void pick.attempt(words.failed.order, () => api.launchOrder(orderNumber, { picker: pick.me }))}
        >
          {words.nothing.relight}
        </BigButton>
      </div>
    </div>
  );
}

/** The order is complete: the next one has the focus. */
function Done({ pick, orderNumber, open }: Omit<BodyProps, 'show' | 'join'>) {
  const [, navigate] = useLocation();
  const isLocked = useIsLocked();
  const sounds = useAnswerSounds();
  useEffect(() => sounds.done(), [sounds]);
  const order = pick.order.value;
  if (order === undefined) return null;
  const { lines, shorts } = progressOf(order);
  const took =
    Date.parse(order.fulfilled_time ?? order.created_time) - Date.parse(order.launched_time ?? order.created_time);
  return (
    <div className={styles.centre}>
      <h2 className={styles.question}>{words.done.title(orderNumber)}</h2>
      <p className={styles.says}>{words.done.lines(lines, durationWords(took))}</p>
      {shorts > 0 && <p className={styles.quiet}>{words.done.shorts(shorts)}</p>}
      <div className={styles.choices}>
        <BigButton look="main" autoFocus onPress={() => open(undefined)}>
          {words.done.next}
        </BigButton>
        {/* The paper is another page, and a kiosk has none. */}
        {!isLocked && (
          <BigButton onPress={() => navigate(orderPrintAddress(orderNumber))}>{words.done.print}</BigButton>
        )}
      </div>
    </div>
  );
}

/** The place was confirmed; now the article. */
function Verify({ pick, item }: { pick: BodyProps['pick']; item: Item }) {
  return (
    <div className={styles.centre}>
      <ScanBarcode className={styles.sign ?? ''} size={72} aria-hidden="true" />
      <h2 className={styles.question}>{words.verify.title}</h2>
      <p className={styles.name}>{nameOfItem(item)}</p>
      <p className={styles.says}>
        {[item.SKU, item.UPC].filter((code) => code !== undefined && code !== '').join(' · ')}
      </p>
      <BigButton onPress={() => pick.skipVerifying(item.id)}>{words.verify.skip}</BigButton>
    </div>
  );
}
