import type { LucideIcon } from 'lucide-react';
import { type ComponentProps, type ReactNode, useEffect, useState } from 'react';
import { Button } from 'react-aria-components';
import styles from './Pick.module.css';

type Props = Omit<ComponentProps<typeof Button>, 'className' | 'style' | 'children'> & {
  look?: 'main' | 'plain';
  icon?: LucideIcon;
  /** How else to do it, in small words below. */
  hint?: ReactNode;
  /** A touch leaves the focus where it is, so that Enter still confirms. */
  preventFocusOnPress?: boolean;
  /** Ignores touches and Enter for so long after it was drawn: what was aimed at is gone. */
  deafMs?: number;
  children: ReactNode;
};

/** A button for gloves: at least 80 px high. */
export function BigButton({ look = 'plain', icon: Icon, hint, deafMs = 0, onPress, children, ...props }: Props) {
  const [drawnAt] = useState(() => performance.now());
  const [isDeaf, setDeaf] = useState(deafMs > 0);
  useEffect(() => {
    if (deafMs === 0) return undefined;
    const timer = setTimeout(() => setDeaf(false), deafMs);
    return () => clearTimeout(timer);
  }, [deafMs]);
  return (
    <Button
      {...props}
      onPress={(event) => {
        if (performance.now() - drawnAt >= deafMs) onPress?.(event);
      }}
      {...(isDeaf ? { 'data-deaf': true } : {})}
      className={styles.big ?? ''}
      data-look={look}
    >
      <span className={styles.bigWords}>
        {Icon !== undefined && <Icon size={28} aria-hidden="true" />}
        {children}
      </span>
      {hint !== undefined && <span className={styles.hint}>{hint}</span>}
    </Button>
  );
}
