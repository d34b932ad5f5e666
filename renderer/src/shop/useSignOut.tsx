import { type ReactNode, useState } from 'react';
import { useStationContext } from '../station/context.ts';
import { useOutbox } from '../station/outbox/useOutbox.ts';
import { Button } from '../kit/button/Button.tsx';
import { Dialog } from '../kit/dialog/Dialog.tsx';
import * as texts from '../words/texts.ts';
import { useAttempt } from './toasts.ts';

const words = texts.outbox.signOut;

/** Returns an action that signs out, asking for confirmation if there are unsent actions. Render `question` in the page. */
export function useSignOut(failed: string): { run(): void; question: ReactNode } {
  const { session } = useStationContext();
  const outbox = useOutbox();
  const signOut = useAttempt(failed, session.signOut);
  const [unsent, setUnsent] = useState(0);

  function go(): void {
    setUnsent(0);
    signOut.run();
  }

  return {
    run() {
      const waiting = outbox?.state().waiting ?? 0;
      if (waiting === 0) go();
      else setUnsent(waiting);
    },
    question: (
      <Dialog
        title={words.title(unsent)}
        role="alertdialog"
        isOpen={unsent > 0}
        onClose={() => setUnsent(0)}
        actions={
          <>
            <Button look="primary" autoFocus onPress={() => setUnsent(0)}>
              {words.stay}
            </Button>
            <Button onPress={go}>{words.leave}</Button>
          </>
        }
      >
        <p>{words.body}</p>
      </Dialog>
    ),
  };
}
