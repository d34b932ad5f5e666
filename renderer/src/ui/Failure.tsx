import type { ReactNode } from 'react';
import parts from './parts.module.css';

/** What failed, announced as soon as it does; without words it takes no room. */
export function Failure({ children }: { children: ReactNode }) {
  return (
    <p role="alert" className={parts.failure}>
      {children}
    </p>
  );
}
