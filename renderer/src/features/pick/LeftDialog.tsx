import { Delete } from 'lucide-react';
import { Dialog } from '../../kit/dialog/Dialog.tsx';
import * as texts from '../../words/texts.ts';
import { BigButton } from './BigButton.tsx';
import styles from './Pick.module.css';
import { PAD_KEYS, type PickQuestion } from './session/sessionTypes.ts';
import type { PickState } from './usePick.ts';

const words = texts.pick;

type Props = { question: Extract<PickQuestion, { kind: 'empty' | 'left' }>; pick: PickState };

/** Asks how many pieces are left after a pick. Never shows the number that the station expects. */
export function LeftDialog({ question, pick }: Props) {
  const { touch } = pick;
  const { location } = question.asked;
  const state = { 'data-refused': pick.isRefused || undefined, 'data-inert': pick.isInert || undefined };
  const title = question.kind === 'empty' ? words.left.isEmpty(location) : words.left.howMany(location);
  return (
    <Dialog title={title} isOpen onClose={() => touch({ touch: 'close' })} size="gloves">
      {question.kind === 'empty' ? (
        <div className={styles.choices} {...state}>
          <BigButton look="main" onPress={() => touch({ touch: 'isEmpty' })}>
            {words.left.empty}
          </BigButton>
          <BigButton onPress={() => touch({ touch: 'someLeft' })}>{words.left.some}</BigButton>
        </div>
      ) : (
        <div className={styles.pad} {...state}>
          <p className={styles.padCount}>
            <output className={question.text === '' ? styles.quiet : undefined}>{question.text || '–'}</output>
          </p>
          <div className={styles.padKeys}>
            {PAD_KEYS.map((key) => (
              <BigButton
                key={key}
                {...(key === 'delete' ? { icon: Delete, 'aria-label': words.pad.delete } : {})}
                onPress={() => touch({ touch: 'padKey', key })}
              >
                {key === 'delete' ? '' : key}
              </BigButton>
            ))}
            <BigButton look="main" onPress={() => touch({ touch: 'enterPad' })}>
              {words.pad.ok}
            </BigButton>
          </div>
        </div>
      )}
    </Dialog>
  );
}
