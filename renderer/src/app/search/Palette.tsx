import { useEffect } from 'react';
import { Dialog, Modal, ModalOverlay } from 'react-aria-components';
import type { RailPage } from '../frame/Rail.tsx';
import * as texts from '../../words/texts.ts';
import type { ThemeChoice } from '../../shop/theme.ts';
import parts from '../../kit/parts.module.css';
import styles from './Palette.module.css';
import { PaletteList } from './PaletteList.tsx';

type Props = {
  isOpen: boolean;
  onOpenChange(open: boolean): void;
  pages: readonly RailPage[];
  theme: ThemeChoice;
};

/** Ctrl+K (on a Mac Cmd+K): any device, page or action, by a few letters. */
export function Palette({ isOpen, onOpenChange, pages, theme }: Props) {
  useEffect(() => {
    function toggle(event: KeyboardEvent): void {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      onOpenChange(!isOpen);
    }
    document.addEventListener('keydown', toggle);
    return () => document.removeEventListener('keydown', toggle);
  }, [isOpen, onOpenChange]);

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
