import { Delete } from 'lucide-react';
import { Dialog } from '../../kit/dialog/Dialog.tsx';
import * as texts from '../../words/texts.ts';
import { BigButton } from './BigButton.tsx';
import { placeOf } from './session/lines.ts';
import styles from './Pick.module.css';
import { PAD_KEYS, type PickQuestion } from './session/sessionTypes.ts';
import { askedOf } from './session/sessionView.ts';
import type { PickState } from './usePick.ts';

const words = texts.pick;

type Props = { question: Extract<PickQuestion, { kind: 'pad' }>; pick: PickState };

/** Number pad for typing the count with gloves. Shows the current count until a digit is typed. */
export function NumberPad({ question: { line, text }, pick }: Props) {
  const { touch, count } = pick;
  return (
    <Dialog title={words.pad.title(placeOf(line))} isOpen onClose={() => touch({ touch: 'close' })} size="gloves">
      <div className={styles.pad} data-refused={pick.isRefused || undefined} data-inert={pick.isInert || undefined}>
        <p className={styles.padCount}>
          <output className={text === '' ? styles.quiet : undefined}>{text === '' ? count : text}</output>
          <span className={styles.quiet}>{words.of(askedOf(line))}</span>
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
          <BigButton look="main" autoFocus onPress={() => touch({ touch: 'enterPad' })}>
            {words.pad.ok}
          </BigButton>
        </div>
      </div>
    </Dialog>
  );
}
