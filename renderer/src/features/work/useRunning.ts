import { useState } from 'react';

/** What is at work here, until it is done; a second press meanwhile does nothing. */
export function useRunning() {
  const [running, setRunning] = useState<string>();

  function run(what: string, act: () => Promise<void>): void {
    if (running !== undefined) return;
    setRunning(what);
    void act().finally(() => setRunning(undefined));
  }

  return { running, run };
}
