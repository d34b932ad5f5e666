import { List, Pointer, Undo2 } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { setupDevices as words } from '../../words/setupDevices.ts';
import { BigButton } from '../pick/BigButton.tsx';
import styles from './SetupDevices.module.css';
import type { Done } from './steps.ts';

type Props = { done: readonly Done[]; left: number; isBusy: boolean; back(): void; choose(): void };

/** Asks for a press while no device is selected. */
export function Idle({ done, left, isBusy, back, choose }: Props) {
  const title = useRef<HTMLHeadingElement>(null);
  const last = done.at(-1);
  useEffect(() => {
    // If the focused field was removed, focus the title.
    if (document.activeElement === document.body) title.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div className={styles.idle}>
      <Pointer size={56} strokeWidth={1.4} aria-hidden="true" />
      <div role="status">
        <h2 ref={title} tabIndex={-1} className={styles.ask}>
          {last === undefined ? words.idle.title : words.idle.again}
        </h2>
        <p className={styles.hint}>{words.idle.body}</p>
        {last !== undefined && <p className={styles.hint}>{words.note(done.length, left)}</p>}
      </div>
      <div className={styles.choices} data-wide>
        {last !== undefined && (
          <BigButton icon={Undo2} isDisabled={isBusy} hint={words.place.backHint(last.place)} onPress={back}>
            {words.place.back}
          </BigButton>
        )}
        <BigButton icon={List} onPress={choose}>
          {words.idle.choose}
        </BigButton>
      </div>
    </div>
  );
}
