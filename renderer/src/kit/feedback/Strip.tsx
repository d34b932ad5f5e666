import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './Strip.module.css';

type Props = { icon: LucideIcon; children: ReactNode; action?: ReactNode; needsCare?: boolean };

/** A message across the top of a page, with an optional button at its end. */
export function Strip({ icon: Icon, children, action, needsCare }: Props) {
  return (
    <div className={styles.strip} data-care={needsCare || undefined}>
      <Icon size={18} aria-hidden="true" />
      <p className={styles.words}>{children}</p>
      {action}
    </div>
  );
}
