import { Button as AriaButton, type ButtonProps } from 'react-aria-components';
import styles from './Button.module.css';

type Props = Omit<ButtonProps, 'className' | 'style'> & {
  /** `primary`: the one thing to do here; `plain`: everything else; `quiet`: without an edge; `danger`: cannot be taken back. */
  look?: 'primary' | 'plain' | 'quiet' | 'icon' | 'danger';
  /** Already at it: it keeps the focus, says so by its words, and a further press does nothing. */
  busy?: boolean;
};

/** A button of the window's own: at least 44 px high. */
export function Button({ look = 'plain', busy = false, onPress, ...props }: Props) {
  return (
    <AriaButton
      {...props}
      onPress={(event) => {
        if (!busy) onPress?.(event);
      }}
      className={styles.button ?? ''}
      data-look={look}
      data-busy={busy || undefined}
    />
  );
}
