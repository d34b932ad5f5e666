import { Check, Info, X } from 'lucide-react';
import { useEffect } from 'react';
import { Button } from 'react-aria-components';
import { texts } from '../../ui/texts.ts';
import { useLatest } from '../../ui/useLatest.ts';
import styles from './Pick.module.css';

const ICONS = { right: Check, wrong: X, note: Info };
/** As long as an undo is offered. */
const SHOWN_MS = 6_000;

export type BottomMessage = { kind: 'right' | 'wrong' | 'note'; text: string; undo?: unknown };

/** `typed`: the entry so far. */
type Props = { message: BottomMessage | undefined; typed?: string; dismiss(): void; undo: (() => void) | undefined };

/** The result of the last action. What went wrong stays until something goes right. */
export function BottomLine({ message, typed = '', dismiss, undo }: Props) {
  const latest = useLatest(dismiss);
  useEffect(() => {
    if (message === undefined || message.kind === 'wrong') return undefined;
    const timer = setTimeout(() => latest.current(), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [message, latest]);
  useEffect(() => {
    const hear = ({ key, defaultPrevented }: KeyboardEvent) => {
      if (key === 'Escape' && !defaultPrevented) latest.current();
    };
    document.addEventListener('keydown', hear);
    return () => document.removeEventListener('keydown', hear);
  }, [latest]);
  const Icon = ICONS[message?.kind ?? 'note'];
  return (
    <div
      className={styles.bottom}
      data-kind={message?.kind ?? 'none'}
      role={message?.kind === 'wrong' ? 'alert' : 'status'}
    >
      {message !== undefined && (
        <>
          <Icon size={26} aria-hidden="true" />
          <span className={styles.bottomText}>{message.text}</span>
          {typed !== '' && <Typed text={typed} />}
          {message.undo !== undefined && undo !== undefined && (
            <Button preventFocusOnPress className={styles.bottomButton ?? ''} onPress={undo}>
              {texts.pick.undo}
            </Button>
          )}
          {message.kind === 'wrong' && (
            <Button preventFocusOnPress className={styles.bottomButton ?? ''} onPress={dismiss}>
              {texts.pick.dismiss}
            </Button>
          )}
        </>
      )}
      {message === undefined && typed !== '' && <Typed text={typed} />}
    </div>
  );
}

/** What was typed or scanned so far; it ends with Enter. */
function Typed({ text }: { text: string }) {
  return (
    <span className={styles.typed}>
      <kbd>{text}</kbd> {texts.pick.typed}
    </span>
  );
}
