import { Check, Info, TriangleAlert, X } from 'lucide-react';
import { useEffect } from 'react';
import { Button } from 'react-aria-components';
import * as texts from '../../words/texts.ts';
import { useLatest } from '../../kit/useLatest.ts';
import styles from './Messages.module.css';
import type { PickMessage } from './session/sessionTypes.ts';

const ICONS = { right: Check, care: TriangleAlert, wrong: X, note: Info };

type Props = {
  /** The result of the last action. */
  last: PickMessage | undefined;
  /** The error of the last scan. */
  scanned: PickMessage | undefined;
  /** The text typed so far. */
  typed: string;
  /** How to type a quantity if numbers are codes here. Shown while nothing else is. */
  hint?: string;
  dismiss(): void;
  undo?: () => void;
  /** Offers to take the pieces at the scanned place. */
  takeHere?: () => void;
};

/**
 * Separate places for the result of the last action and the error of the last scan, so that neither hides the other.
 */
export function Messages({ last, scanned, typed, hint = '', dismiss, undo, takeHere }: Props) {
  const latest = useLatest(dismiss);
  useEffect(() => {
    const onKeyDown = ({ key, defaultPrevented }: KeyboardEvent) => {
      if (key === 'Escape' && !defaultPrevented) latest.current();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [latest]);
  // A single message colors both places, so that they do not look like a half-full bar.
  const only = last !== undefined && scanned !== undefined ? undefined : (last ?? scanned);
  return (
    <div className={styles.messages} data-kind={only?.kind}>
      <Message message={last} dismiss={dismiss} undo={undo} />
      <Message message={scanned} typed={typed} hint={hint} dismiss={dismiss} takeHere={takeHere} />
    </div>
  );
}

type MessageProps = { message: PickMessage | undefined; typed?: string; hint?: string; dismiss(): void } & Pick<
  Props,
  'undo' | 'takeHere'
>;

function Message({ message, typed = '', hint = '', dismiss, undo, takeHere }: MessageProps) {
  const Icon = ICONS[message?.kind ?? 'note'];
  return (
    <div
      className={styles.message}
      data-kind={message?.kind ?? (typed === '' ? 'none' : 'typed')}
      role={message?.kind === 'wrong' ? 'alert' : 'status'}
    >
      {message !== undefined && (
        <>
          <Icon className={styles.icon ?? ''} size={26} aria-hidden="true" />
          <span className={styles.text}>{message.text}</span>
        </>
      )}
      {message === undefined && typed === '' && hint !== '' && <span className={styles.typed}>{hint}</span>}
      {typed !== '' && (
        <span className={styles.typed}>
          <kbd>{typed}</kbd> {hint !== '' && /^\d{1,3}$/.test(typed) ? texts.pick.typedCode(typed) : texts.pick.typed}
        </span>
      )}
      {message?.undo !== undefined && undo !== undefined && (
        <Button preventFocusOnPress className={styles.button ?? ''} onPress={undo}>
          {texts.pick.undo}
        </Button>
      )}
      {message?.here !== undefined && takeHere !== undefined && (
        <Button preventFocusOnPress className={styles.button ?? ''} onPress={takeHere}>
          {texts.pick.takeHere}
        </Button>
      )}
      {message?.kind === 'wrong' && (
        <Button preventFocusOnPress className={styles.button ?? ''} onPress={dismiss}>
          {texts.pick.dismiss}
        </Button>
      )}
    </div>
  );
}
