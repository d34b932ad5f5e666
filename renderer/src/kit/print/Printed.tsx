import type { ReactNode } from 'react';
import styles from './Printed.module.css';

/** Content of the print-out. Everything else in the window is not printed. */
export function Printed({ className = '', children }: { className?: string | undefined; children: ReactNode }) {
  return (
    <div className={`${styles.printed} ${className}`} data-sheets>
      {children}
    </div>
  );
}
