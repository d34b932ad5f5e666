import { useCallback } from 'react';
import { Dialog, Modal, ModalOverlay } from 'react-aria-components';
import type { Page } from '../pages.tsx';
import * as texts from '../../words/texts.ts';
import type { ThemeChoice } from '../../shop/theme.ts';
import { useSignOut } from '../../shop/useSignOut.tsx';
import { useLatest } from '../../kit/useLatest.ts';
import parts from '../../kit/parts.module.css';
import styles from './Palette.module.css';
import { PaletteList } from './PaletteList.tsx';

type Props = {
  isOpen: boolean;
  onOpenChange(open: boolean): void;
  pages: readonly Page[];
  theme: ThemeChoice;
};

/** The search dialog, which finds pages, actions, devices, orders and more. */
export function Palette({ isOpen, onOpenChange, pages, theme }: Props) {
  const leaving = useSignOut(texts.rail.signOutFailed);
  const latest = useLatest(leaving.run);
  const signOut = useCallback(() => latest.current(), [latest]);
  return (
    <>
      <ModalOverlay
        className={`${parts.centered} ${styles.veil}`}
        isOpen={isOpen}
        onOpenChange={onOpenChange}
        isDismissable
      >
        <Modal className={`${parts.card} ${styles.modal}`}>
          <Dialog className={styles.dialog ?? ''} aria-label={texts.palette.title}>
            <PaletteList pages={pages} theme={theme} close={() => onOpenChange(false)} signOut={signOut} />
          </Dialog>
        </Modal>
      </ModalOverlay>
      {leaving.question}
    </>
  );
}
