import type { ReactNode } from 'react';
import { Dialog } from '../../../kit/dialog/Dialog.tsx';
import { BigButton } from '../BigButton.tsx';
import styles from '../Pick.module.css';
import type { BatchQuestion, BatchTouch } from './batchTypes.ts';
import type { OpenBatch } from './useBatch.ts';

export type InMode = { mode: OpenBatch };
export type About<Kind extends BatchQuestion['kind']> = InMode & { question: Extract<BatchQuestion, { kind: Kind }> };

/** A question with large answer buttons. */
export function Ask({
  mode,
  title,
  lead,
  children,
}: InMode & { title: string; lead?: ReactNode; children: ReactNode }) {
  return (
    <Dialog title={title} isOpen onClose={() => mode.touch({ touch: 'close' })} size="gloves">
      {lead}
      <div className={styles.choices} data-refused={mode.isRefused || undefined} data-inert={mode.isInert || undefined}>
        {children}
      </div>
    </Dialog>
  );
}

export function Answer({
  mode,
  touch,
  isMain = false,
  children,
}: InMode & { touch: BatchTouch; isMain?: boolean; children: string }) {
  return (
    <BigButton look={isMain ? 'main' : 'plain'} onPress={() => mode.touch(touch)}>
      {children}
    </BigButton>
  );
}
