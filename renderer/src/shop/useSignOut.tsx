import { type ReactNode, useState } from 'react';
import { useStationContext, useStationState } from '../station/context.ts';
import { type HeldIn, loadHeld } from '../station/liveBatches.ts';
import { useOutbox } from '../station/outbox/useOutbox.ts';
import { Button } from '../kit/button/Button.tsx';
import { Dialog } from '../kit/dialog/Dialog.tsx';
import * as texts from '../words/texts.ts';
import { useAttempt } from './toasts.ts';

const words = texts.outbox.signOut;

/** Reasons not to sign out: unsent actions, and pieces in hand. `held` is undefined if the station does not answer in time. */
type Against = { unsent: number; held: readonly HeldIn[] | undefined };

/** The two answers to the question. */
export type SignOutAnswers = Record<'stay' | 'leave', { words: string; run(): void }>;

const NOTHING: Against = { unsent: 0, held: [] };

/**
 * Returns an action that signs out. Asks for confirmation if there are unsent actions, or if the person holds or may hold pieces of a batch.
 * Render `question` in the page. `large` draws the answers for people with gloves.
 */
export function useSignOut(
  failed: string,
  large?: (answers: SignOutAnswers) => ReactNode,
): { run(): void; question: ReactNode } {
  const { session } = useStationContext();
  const outbox = useOutbox();
  const findHeld = useFindHeld();
  const signOut = useAttempt(failed, session.signOut);
  const [against, setAgainst] = useState(NOTHING);
  const { unsent, held } = against;
  const isUnknown = held === undefined;
  const isHolding = isUnknown || held.length > 0;

  function go(): void {
    setAgainst(NOTHING);
    signOut.run();
  }

  async function ask(): Promise<void> {
    const waiting = outbox?.state().waiting ?? 0;
    const pieces = await findHeld();
    if (waiting === 0 && pieces?.length === 0) go();
    else setAgainst({ unsent: waiting, held: pieces });
  }

  const answers: SignOutAnswers = {
    stay: { words: words.stay, run: () => setAgainst(NOTHING) },
    leave: { words: isHolding ? words.leaveHeld : words.leave, run: go },
  };
  return {
    run: () => void ask(),
    question: (
      <Dialog
        title={isUnknown ? words.mayHold : isHolding ? words.holding : words.title(unsent)}
        role="alertdialog"
        isOpen={unsent > 0 || isHolding}
        onClose={answers.stay.run}
        size={large === undefined ? 'small' : 'gloves'}
        actions={
          large === undefined ? (
            <>
              <Button look="primary" autoFocus onPress={answers.stay.run}>
                {answers.stay.words}
              </Button>
              <Button onPress={answers.leave.run}>{answers.leave.words}</Button>
            </>
          ) : undefined
        }
      >
        {isUnknown && <p>{words.noAnswer}</p>}
        {held?.map(({ where, slots }) => (
          <p key={where}>{words.held(where, slots)}</p>
        ))}
        {isHolding && <p>{words.left}</p>}
        {unsent > 0 && (
          <p>
            {isHolding && `${words.title(unsent)}. `}
            {words.body}
          </p>
        )}
        {large?.(answers)}
      </Dialog>
    ),
  };
}

/** How long a sign-out waits for the pieces in hand, in milliseconds. */
const HELD_MS = 2_000;

/**
 * Returns a function that loads the pieces in the person's hand. It resolves to undefined if the station does not answer soon. While it is
 * unreachable, there are none: nobody can sign out, and the page says so.
 */
function useFindHeld(): () => Promise<HeldIn[] | undefined> {
  const { api } = useStationContext();
  const me = useStationState(({ station }) => station?.user.name ?? '');
  const isLost = useStationState(({ connection }) => connection.kind === 'lost');
  return async () => {
    if (isLost) return [];
    const soon = new Promise<undefined>((resolve) => void setTimeout(resolve, HELD_MS));
    try {
      return await Promise.race([loadHeld(api, me), soon]);
    } catch {
      return undefined;
    }
  };
}
