import type { LucideIcon } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { Button } from 'react-aria-components';
import styles from './Pick.module.css';

type Props = Omit<ComponentProps<typeof Button>, 'className' | 'style' | 'children'> & {
  look?: 'main' | 'plain';
  icon?: LucideIcon;
  /** How else to do it, in small words below. */
  hint?: ReactNode;
  /** A touch leaves the focus where it is, so that Enter still confirms. */
  preventFocusOnPress?: boolean;
  children: ReactNode;
};

/** A button for gloves: at least 80 px high. */
export function BigButton({ look = 'plain', icon: Icon, hint, children, ...props }: Props) {
  return (
    <Button {...props} className={styles.big ?? ''} data-look={look}>
      <span className={styles.bigWords}>
        {Icon !== undefined && <Icon size={28} aria-hidden="true" />}
        {children}
      </span>
      {hint !== undefined && <span className={styles.hint}>{hint}</span>}
    </Button>
  );
}
