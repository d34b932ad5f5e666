import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../ui/Button.tsx';
import { texts } from '../../ui/texts.ts';
import styles from './AddedField.module.css';

type Props = {
  label: string;
  /** Takes the field away, with what is in it. */
  remove(): void;
  children: ReactNode;
};

/** A box that was added to the form, and the way to be rid of it. */
export function AddedField({ label, remove, children }: Props) {
  return (
    <div className={styles.row}>
      {children}
      <Button look="icon" aria-label={texts.form.remove(label)} onPress={remove}>
        <X size={16} aria-hidden="true" />
      </Button>
    </div>
  );
}
