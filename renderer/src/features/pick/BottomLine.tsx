import { Check, Info, X } from 'lucide-react';
import { useEffect } from 'react';
import { Button } from 'react-aria-components';
import * as texts from '../../words/texts.ts';
import { useLatest } from '../../kit/useLatest.ts';
import styles from './Pick.module.css';

const ICONS = { right: Check, wrong: X, note: Info };
const SHOWN_MS = 6_000;

type BottomMessage = { kind: 'right' | 'wrong' | 'note'; text: string };

type Props = { message: BottomMessage | undefined; dismiss(): void };

/** Shows the result of the last action. An error stays until it is dismissed or replaced. */
export function BottomLine({ message, dismiss }: Props) {
  const latest = useLatest(dismiss);
  useEffect(() => {
    if (message === undefined || message.kind === 'wrong') return undefined;
    const timer = setTimeout(() => latest.current(), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [message, latest]);
  useEffect(() => {
    const onKeyDown = ({ key, defaultPrevented }: KeyboardEvent) => {
      if (key === 'Escape' && !defaultPrevented) latest.current();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
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
          {message.kind === 'wrong' && (
            <Button preventFocusOnPress className={styles.bottomButton ?? ''} onPress={dismiss}>
              {texts.pick.dismiss}
            </Button>
          )}
        </>
      )}
    </div>
  );
}
