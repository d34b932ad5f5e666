import type { ReactNode } from 'react';
import styles from './Printed.module.css';

/** What goes on paper: of the rest of the window nothing is printed. */
export function Printed({ className = '', children }: { className?: string | undefined; children: ReactNode }) {
  return (
    <div className={`${styles.printed} ${className}`} data-sheets>
      {children}
    </div>
  );
}
