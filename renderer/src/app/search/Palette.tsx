import { Dialog, Modal, ModalOverlay } from 'react-aria-components';
import type { Page } from '../pages.tsx';
import * as texts from '../../words/texts.ts';
import type { ThemeChoice } from '../../shop/theme.ts';
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
  return (
    <ModalOverlay
      className={`${parts.centered} ${styles.veil}`}
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      isDismissable
    >
      <Modal className={`${parts.card} ${styles.modal}`}>
        <Dialog className={styles.dialog ?? ''} aria-label={texts.palette.title}>
          <PaletteList pages={pages} theme={theme} close={() => onOpenChange(false)} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
