import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { Button } from 'react-aria-components';
import { inputTimes } from '../../kit/inputTimes.ts';
import { isPick, shelfOf, takenWith } from '../../station/outbox/remedy.ts';
import type { BatchAct, HandsDo, KeptAction, RefusedAction, Remedy } from '../../station/outbox/actions.ts';
import { useStationContext } from '../../station/context.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import { reasonWords } from '../../shop/reasonWords.ts';
import { useOutbox, useOutboxState } from '../../station/outbox/useOutbox.ts';
import * as texts from '../../words/texts.ts';
import { useAttempt, useToasts } from '../../shop/toasts.ts';
import { clockWords } from './session/lines.ts';
import styles from './Messages.module.css';
import { PressNotices } from './whose/PressNotices.tsx';
import type { PressAnswer, PressNotice } from './whose/pressNotices.ts';
import { usePresses } from './whose/usePresses.ts';
import { useGuardedButtons } from './useGuardedButtons.ts';
import { SAID_MS } from './session/sessionSteps.ts';

const words = texts.outbox;

/** Returns what `Notices` shows. `rows` changes with each row that appears, disappears, or gets another text or other buttons. */
export function useNotices(note: string | undefined) {
  const { waiting, isStuck, refused, sent } = useOutboxState();
  const { shown } = usePresses();
  const isSent = useFor(sent?.at, SAID_MS);
  const message = isStuck ? words.kept(waiting) : isSent && sent !== undefined ? words.sent(sent.count) : (note ?? '');
  const rows = [
    ...shown.map(({ key, refused: why = '' }) => `${key} ${why}`),
    ...refused.map(({ action, remedy }) => `${action.key} ${remedy?.kind ?? ''}`),
    message === '' ? '' : 'message',
  ];
  return { message, isStuck, refused, shown, rows: rows.join('\n') };
}

/**
 * Asks whose a press was, lists actions that the station refused, and shows whether some still wait for the station. That message is last,
 * because it comes and goes by itself, and must not move the buttons.
 */
export function Notices({
  notices: { message, isStuck, refused, shown, rows },
  answerPress,
  isRefused = false,
}: {
  notices: ReturnType<typeof useNotices>;
  answerPress(notice: PressNotice, how: PressAnswer): void;
  /** Whether a touch of a notice was ignored just now. */
  isRefused?: boolean | undefined;
}) {
  const buttons = useGuardedButtons(rows);
  const touched = (act: () => void): void =>
    buttons.isSeen(inputTimes().ownInput().madeAt) ? act() : buttons.refuse();
  return (
    <div
      className={styles.notices}
      data-notices={refused.length + shown.length > 0 || undefined}
      data-refused={isRefused || buttons.isRefused || undefined}
    >
      <PressNotices notices={shown} answer={answerPress} />
      <Guarded value={touched}>
        {refused.map((each) => (
          <NotBooked key={each.action.key} refused={each} />
        ))}
      </Guarded>
      {message !== '' && (
        <p role="status" className={styles.notice} data-kind={isStuck ? 'care' : 'note'}>
          {message}
        </p>
      )}
    </div>
  );
}

/** Carries out a touch of a listed action's button, unless the button may have been elsewhere when it was touched. */
const Guarded = createContext((act: () => void): void => act());

function NotBooked({ refused: { action, why, remedy } }: { refused: RefusedAction }) {
  const outbox = useOutbox();
  if (remedy?.kind === 'done') return <BookedMeanwhile action={action} remedy={remedy} />;
  if (remedy?.kind === 'putBack') {
    // Nothing is in hand after an action without pieces, so it only has to be read.
    const says = remedy.quantity === 0 ? whatWasRefused(action) : words.putBack(shelfOf(action), remedy.quantity);
    return (
      <Notice text={says} why={why}>
        <Choice onPress={() => outbox?.returned(action.key)}>{words.done}</Choice>
      </Notice>
    );
  }
  if (remedy?.kind === 'hands') {
    return (
      <Notice text={handsWords(action, remedy.does)} why={why}>
        <Choice onPress={() => outbox?.forget(action.key)}>{words.done}</Choice>
      </Notice>
    );
  }
  return <OpenNotice action={action} why={why} asksReason={remedy?.asks === 'reason'} />;
}

/** Says what the hands have to do so that they hold what the station has booked. */
function handsWords(action: KeptAction, does: HandsDo): string {
  const pieces = action.kind === 'cart' && 'pieces' in action.act ? action.act.pieces : [];
  const said = does === 'nothing' ? [] : pieces.map(({ slot, quantity }) => words.hands[does](quantity, slot ?? ''));
  return said.length === 0 ? whatWasRefused(action) : said.join(' ');
}

type Of = { action: KeptAction };

/** The line was booked while this action waited, possibly with the same pieces. */
function BookedMeanwhile({ action, remedy }: Of & { remedy: Extract<Remedy, { kind: 'done' }> }) {
  const outbox = useOutbox();
  const { at, by, quantity } = remedy;
  const how = by === '' ? '' : by === 'device' ? words.byLight : words.by(by);
  const time = at === undefined ? undefined : clockWords(at);
  const taken = takenWith(action);
  return (
    <Notice text={words.booked(shelfOf(action), time, how, quantity)} why="">
      <Choice onPress={() => outbox?.forget(action.key)}>{words.those}</Choice>
      {taken !== 0 && <Choice onPress={() => outbox?.tookMore(action.key)}>{words.more(taken)}</Choice>}
    </Notice>
  );
}

function Notice({ text, why, children }: { text: string; why: string; children: ReactNode }) {
  return (
    <div role="alert" className={styles.message} data-kind="wrong">
      <span className={styles.text} title={why}>
        {text}
      </span>
      {children}
    </div>
  );
}

function Choice({
  onPress,
  isDisabled = false,
  children,
}: {
  onPress(): void;
  isDisabled?: boolean;
  children: string;
}) {
  const touched = useContext(Guarded);
  return (
    <Button
      preventFocusOnPress
      className={styles.button ?? ''}
      isDisabled={isDisabled}
      onPress={() => touched(onPress)}
    >
      {children}
    </Button>
  );
}

function OpenNotice({ action, why, asksReason }: Of & { why: string; asksReason: boolean }) {
  const outbox = useOutbox();
  const book = useAttempt(words.failed, () => outbox?.bookAnyway(action.key));
  return (
    <Notice text={whatWasRefused(action)} why={why}>
      {asksReason ? (
        <BookWithReason action={action} />
      ) : (
        <Choice isDisabled={book.busy} onPress={book.run}>
          {isPick(action) ? words.book : words.again}
        </Choice>
      )}
      <Choice onPress={() => outbox?.forget(action.key)}>{words.discard}</Choice>
    </Notice>
  );
}

/** Books fewer pieces than the line asks for, with the touched reason. */
function BookWithReason({ action }: Of) {
  const { api } = useStationContext();
  const outbox = useOutbox();
  const toasts = useToasts();
  const reasons = useStationQuery(['shortReasons'], () => api.listShortReasons());
  return (reasons.value ?? []).map((reason) => (
    <Choice
      key={reason.key}
      onPress={() => void toasts.attempt(words.failed, async () => outbox?.bookAnyway(action.key, reason.key))}
    >
      {reasonWords(reason)}
    </Choice>
  ));
}

function whatWasRefused(action: KeptAction): string {
  const { place } = action;
  const at = clockWords(action.at);
  switch (action.kind) {
    case 'short':
      return words.shortNotBooked(place, reasonWords({ key: action.reason }), at);
    case 'reason':
      return words.reasonNotSaved(place, reasonWords({ key: action.reason }), at);
    case 'undo':
      return words.notUndone(place, at);
    case 'verify':
      return words.notVerified(place, at);
    case 'cart':
      return words.notInBatch(pieceWords(action.act) ?? place, at);
    case 'returned':
    case 'confirm':
    case 'adjust':
      return words.notBooked(place, action.quantity, at);
  }
}

/** Names the pieces of an action, which may be only a part of those that its place names. */
function pieceWords(act: BatchAct): string | undefined {
  if (!('pieces' in act)) return undefined;
  return words.what(act.does, act.pieces.map(({ slot, quantity }) => `${slot ?? ''} ${quantity}`.trim()).join(' · '));
}

function useFor(at: number | undefined, ms: number): boolean {
  const [over, setOver] = useState<number>();
  useEffect(() => {
    if (at === undefined) return undefined;
    const timer = setTimeout(() => setOver(at), Math.max(0, at + ms - Date.now()));
    return () => clearTimeout(timer);
  }, [at, ms]);
  return at !== undefined && over !== at;
}
