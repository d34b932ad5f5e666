import { ScanBarcode } from 'lucide-react';
import { cartPick as words } from '../../../words/cartPick.ts';
import * as texts from '../../../words/texts.ts';
import { placeOf } from '../session/lines.ts';
import styles from '../Pick.module.css';
import { askedArticle } from './batchScans.ts';
import { Choice, UndoChoice } from './BatchStage.tsx';
import type { InMode } from './BatchDialog.tsx';
import { bySlot, isHolding } from './batchPart.ts';

/**
 * Asks for a scan of the article, before or after its pieces are picked. No button has the focus, so that Enter
 * cannot skip the scan.
 */
export function ScanStage({ mode }: InMode) {
  const { state } = mode;
  const asked = askedArticle(state);
  if (asked === undefined) return null;
  const { name, line } = asked;
  const slots = line === undefined ? bySlot(asked.pieces) : [];
  const afterwards = isHolding(state) ? words.verify.after(slots) : words.verify.inSlots(slots);
  return (
    <div className={styles.center}>
      <ScanBarcode className={styles.sign ?? ''} size={48} aria-hidden="true" />
      <h2 className={styles.question}>{texts.pick.verify.title}</h2>
      <p className={styles.name}>{name}</p>
      <p className={styles.says}>{[...new Set(asked.codes)].filter((code) => code !== '').join(' · ')}</p>
      <p className={styles.says}>{line === undefined ? afterwards : words.verify.before(placeOf(line), asked.found)}</p>
      <div className={styles.choices} data-refused={mode.isRefused || undefined}>
        <Choice mode={mode} touch={{ touch: 'cannotScan' }}>
          {texts.pick.verify.skip}
        </Choice>
        {line !== undefined && (
          <Choice mode={mode} touch={{ touch: 'close' }}>
            {words.verify.back}
          </Choice>
        )}
        {line === undefined && <UndoChoice mode={mode} />}
      </div>
    </div>
  );
}
