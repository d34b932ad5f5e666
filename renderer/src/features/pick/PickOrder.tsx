import { ScanBarcode } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import type { Item } from '#shared/api/order.ts';
import type { ScanResult, WorkLine } from '#shared/api/picking.ts';
import { useAnswerSounds } from '../../sound/answerSounds.ts';
import { orderPrintAddress } from '../../station/addresses.ts';
import { useIsLocked, useStationContext } from '../../station/context.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { texts } from '../../ui/texts.ts';
import { TourSlot } from '../tour/TourSlot.tsx';
import { BigButton } from './BigButton.tsx';
import { BottomLine } from './BottomLine.tsx';
import { DEAF_NEXT_ORDER_MS } from './deafTimes.ts';
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
import { useDeaf } from './useDeaf.ts';
import { useEntry } from './useEntry.ts';
import { useShopNames } from './useShopNames.ts';
import { useTwin } from './useTwin.ts';

const words = texts.pick;

/** Within how long the same code from one scanner counts once: of an article, people scan one piece after another. */
const SAME_ARTICLE_MS = 400;
const SAME_PLACE_MS = 1_000;

type Props = { orderNumber: string; open(orderNumber: string | undefined, says?: PickMessage): void };

/** `said`: what happened just before. */
type OrderProps = Props & { kept: Confirmations; said: PickMessage | undefined };

/** One order, line by line. */
export function PickOrder({ orderNumber, open, kept, said }: OrderProps) {
  const join = useJoin(open);
  const pick = usePick(orderNumber, kept, { said, scannedOrder });
  const { current } = pick;
  const [dialog, setDialog] = useState<'short' | 'more' | 'over'>();
  const [found, setFound] = useState<number>();
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

  const deaf = useDeaf(itemId);
  // The next line is not on the page while an article is asked for.
  const isCounting = current !== undefined && pick.unverified === undefined;

  function show(which: 'short' | 'more' | 'over'): void {
    if (current === undefined) return;
    setFound(undefined);
    setDialogOf(itemId);
    setDialog(which);
  }

  /** Picked, by touch or Enter. More or fewer than asked are a question. */
  function confirm(): void {
    if (!deaf.accept()) return;
    if (pick.count !== null && pick.count > pick.asked) return show('over');
    if (pick.count !== null && pick.count < pick.asked) return show('short');
    pick.confirm();
  }

  /** Says something beside the work: what went wrong stays, and what was booked can still be undone. */
  function remark(text: string): void {
    const { message } = pick;
    if (message?.kind === 'wrong') return;
    pick.say({ kind: 'note', text, ...(message?.undo === undefined ? {} : { undo: message.undo }) });
  }

  const letters: Partial<Record<string, () => void>> = {
    u: () => void pick.undo(),
    ...(isCounting ? { s: () => show('short'), n: pick.skip } : {}),
  };
  const isAsked = dialog !== undefined || pick.candidates.length > 0 || join.asked !== undefined;
  const names = useShopNames(pick.order.value, pick.lines);
  const typed = useEntry(
    {
      scan(scan) {
        if (dialog === 'short') setDialog(undefined);
        void pick.scan(scan);
      },
      count(count) {
        if (dialog === 'short') setFound(count);
        else if (isAsked || !isCounting) deaf.refuse();
        else pick.type(count);
      },
      letter(letter) {
        const act = isAsked ? undefined : letters[letter];
        if (act === undefined) pick.say({ kind: 'wrong', text: words.said.noCommand(letter) });
        else act();
      },
      sign: (by) => (isAsked || !isCounting ? deaf.refuse() : pick.adjust(by)),
      cleared: (text) => remark(words.said.noEnter(text)),
      repeated: ({ code }) => remark(words.said.scannedTwice(code)),
      deaf: deaf.refuse,
    },
    { names, sameMs: (code) => (isArticle(code, pick.lines) ? SAME_ARTICLE_MS : SAME_PLACE_MS) },
  );

  const order = pick.order.value;
  const due = order?.due_time;
  return (
    <Frame
      title={words.title}
      note={`${words.order(orderNumber)}${due === null || due === undefined ? '' : ` · ${words.due(dueWords(due))}`}`}
      beside={<TourSlot orderNumber={orderNumber} lines={pick.isLoaded ? pick.lines : undefined} />}
      bottom={
        <BottomLine
          typed={typed}
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
      <Body pick={pick} orderNumber={orderNumber} join={join} open={open} show={show} confirm={confirm} deaf={deaf} />
      {current !== undefined && (
        <>
          <ShortDialog
            key={`short ${itemId} ${dialog === 'short'}`}
            line={current}
            pick={pick}
            typed={found}
            isOpen={dialog === 'short'}
            close={() => setDialog(undefined)}
          />
          <Dialog
            title={words.over.title(pick.count ?? 0, pick.asked)}
            isOpen={dialog === 'over'}
            onClose={() => setDialog(undefined)}
            size="gloves"
          >
            <div className={styles.choices}>
              <BigButton
                look="main"
                onPress={() => {
                  setDialog(undefined);
                  pick.confirm();
                }}
              >
                {words.over.yes(pick.count ?? 0)}
              </BigButton>
              <BigButton
                onPress={() => {
                  setDialog(undefined);
                  pick.type(pick.asked);
                }}
              >
                {words.over.no(pick.asked)}
              </BigButton>
            </div>
          </Dialog>
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
  confirm(): void;
  deaf: ReturnType<typeof useDeaf>;
};

/** The instruction, or why there is none. */
function Body({ pick, orderNumber, join, open, show, confirm, deaf }: BodyProps) {
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
        <Instruction pick={pick} line={current} show={show} confirm={confirm} deaf={deaf} />
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
function Take({
  pick,
  orderNumber,
  join,
  isPaused,
  open,
}: Omit<BodyProps, 'show' | 'confirm' | 'deaf'> & { isPaused: boolean }) {
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
function Nothing({ pick, orderNumber, open }: Omit<BodyProps, 'show' | 'join' | 'confirm' | 'deaf'>) {
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
function Done({ pick, orderNumber, open }: Omit<BodyProps, 'show' | 'join' | 'confirm' | 'deaf'>) {
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
        <BigButton look="main" autoFocus deafMs={DEAF_NEXT_ORDER_MS} onPress={() => open(undefined)}>
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

function isArticle(code: string, lines: readonly WorkLine[]): boolean {
  const text = code.toLowerCase();
  return lines.some(({ SKU, UPC }) => [SKU, UPC].some((name) => name !== '' && name.toLowerCase() === text));
}
