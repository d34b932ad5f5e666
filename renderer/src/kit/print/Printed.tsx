import type { ReactNode } from 'react';
import styles from './Printed.module.css';

/** The only part of the window that is printed. */
export function Printed({ className = '', children }: { className?: string | undefined; children: ReactNode }) {
  return (
    <div className={`${styles.printed} ${className}`} data-sheets>
      {children}
    </div>
  );
}
