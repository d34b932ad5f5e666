import type { ReactNode } from 'react';
import { Button } from './Button.tsx';
import parts from './parts.module.css';
import { texts } from './texts.ts';

/** What failed, announced as soon as it does; without words it takes no room. */
export function Failure({ children }: { children: ReactNode }) {
  return (
    <p role="alert" className={parts.failure}>
      {children}
    </p>
  );
}

type LoadFailureProps = { className?: string | undefined; reload(): void; children: ReactNode };

/** What could not be loaded, and a button to try again. */
export function LoadFailure({ className = parts.failure, reload, children }: LoadFailureProps) {
  return (
    <div role="alert" className={className}>
      <p>{children}</p>
      <Button onPress={reload}>{texts.frame.broken.again}</Button>
    </div>
  );
}
