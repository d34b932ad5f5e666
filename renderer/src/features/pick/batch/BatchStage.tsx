import type { ReactNode } from 'react';
import { Unbroken } from '../../../kit/Unbroken.tsx';
import { cartPick as words } from '../../../words/cartPick.ts';
import { BigButton } from '../BigButton.tsx';
import pick from '../Pick.module.css';
import type { PickMessage } from '../session/sessionTypes.ts';
import styles from './Batch.module.css';
import type { InMode } from './BatchDialog.tsx';
import type { BatchTouch } from './batchTypes.ts';

/**
 * A stage with a title, the slots and the buttons. If the title shows the result of a scan, `tone` is the kind of result and sets the
 * title's color.
 */
export function Stage({
  title,
  tone,
  lead,
  children,
  buttons,
}: {
  title: string;
  tone?: PickMessage['kind'] | undefined;
  lead?: ReactNode;
  children: ReactNode;
  buttons: ReactNode;
}) {
  return (
    <div className={`${pick.stage} ${styles.stage}`}>
      <div className={styles.told}>
        <div className={styles.says}>
          <div role={tone === 'wrong' ? 'alert' : undefined}>
            <h2 className={styles.title} data-tone={tone}>
              <Unbroken>{title}</Unbroken>
            </h2>
          </div>
          {lead}
        </div>
        {children}
      </div>
      <div className={`${pick.choices} ${styles.buttons}`}>{buttons}</div>
    </div>
  );
}

type ChoiceProps = InMode & { touch: BatchTouch; isMain?: boolean; hint?: string; children: string };

export function Choice({ mode, touch, isMain = false, hint, children }: ChoiceProps) {
  return (
    <BigButton
      look={isMain ? 'main' : 'plain'}
      autoFocus={isMain}
      preventFocusOnPress
      hint={hint}
      {...(mode.isInert ? { 'data-inert': true } : {})}
      {...(mode.isRefused ? { 'data-refused': true } : {})}
      onPress={() => mode.touch(touch)}
    >
      {children}
    </BigButton>
  );
}

/** A button that undoes the last action and names it. Renders nothing if there is no such action. */
export function UndoChoice({ mode }: InMode) {
  const undo = mode.state.undos.at(-1);
  if (undo === undefined) return null;
  return (
    <Choice mode={mode} touch={{ touch: 'undo' }} hint={undo.place}>
      {words.put.undo}
    </Choice>
  );
}
