import { useEffect, useState } from 'react';
import { Button } from 'react-aria-components';
import type { KeptAction, RefusedAction } from '../../station/outbox/actions.ts';
import { useOutbox, useOutboxState } from '../../station/outbox/useOutbox.ts';
import * as texts from '../../words/texts.ts';
import { useAttempt } from '../../shop/toasts.ts';
import { clockWords } from './session/lines.ts';
import styles from './Messages.module.css';
import { SAID_MS } from './session/sessionSteps.ts';

const words = texts.outbox;

/** Shows whether actions still wait for the station, and lists those that it refused. `note` is shown if none wait. */
export function Notices({ note }: { note?: string | undefined }) {
  const { waiting, isStuck, refused, sent } = useOutboxState();
  const isSent = useFor(sent?.at, SAID_MS);
  const message = isStuck ? words.kept(waiting) : isSent && sent !== undefined ? words.sent(sent.count) : (note ?? '');
  return (
    <div className={styles.notices} data-notices={refused.length > 0 || undefined}>
      {message !== '' && (
        <p role="status" className={styles.notice} data-kind={isStuck ? 'care' : 'note'}>
          {message}
        </p>
      )}
      {refused.map((each) => (
        <NotBooked key={each.action.key} refused={each} />
      ))}
    </div>
  );
}

function NotBooked({ refused: { action, why } }: { refused: RefusedAction }) {
  const outbox = useOutbox();
  const book = useAttempt(words.failed, () => outbox?.bookAnyway(action.key));
  return (
    <div role="alert" className={styles.message} data-kind="wrong">
      <span className={styles.text} title={why}>
        {whatWasRefused(action)}
      </span>
      <Button preventFocusOnPress className={styles.button ?? ''} isDisabled={book.busy} onPress={book.run}>
        {action.kind === 'confirm' || action.kind === 'short' ? words.book : words.again}
      </Button>
      <Button preventFocusOnPress className={styles.button ?? ''} onPress={() => outbox?.forget(action.key)}>
        {words.discard}
      </Button>
    </div>
  );
}

function whatWasRefused(action: KeptAction): string {
  const { place } = action;
  const at = clockWords(action.at);
  switch (action.kind) {
    case 'short':
      return words.shortNotBooked(place, reasonWords(action.reason), at);
    case 'reason':
      return words.reasonNotSaved(place, reasonWords(action.reason), at);
    case 'undo':
      return words.notUndone(place, at);
    case 'verify':
      return words.notVerified(place, at);
    case 'cart':
      return words.notInBatch(place, at);
    case 'confirm':
    case 'adjust':
      return words.notBooked(place, action.quantity, at);
  }
}

const reasonWords = (reason: string): string => texts.pick.shortDialog.reasons[reason] ?? reason;

function useFor(at: number | undefined, ms: number): boolean {
  const [over, setOver] = useState<number>();
  useEffect(() => {
    if (at === undefined) return undefined;
    const timer = setTimeout(() => setOver(at), Math.max(0, at + ms - Date.now()));
    return () => clearTimeout(timer);
  }, [at, ms]);
  return at !== undefined && over !== at;
}
