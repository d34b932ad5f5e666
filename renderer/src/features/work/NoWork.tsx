import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { useStationState } from '../../station/context.ts';
import type { NamedDevice } from '../../station/places.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import type { texts } from '../../ui/texts.ts';
import { useToasts } from '../../ui/toasts.ts';

type Props = {
  words: typeof texts.orders.empty | typeof texts.sequences.empty;
  picture: ReactNode;
  /** Creates an example with existing devices; resolves to the address of its page. */
  make(places: readonly NamedDevice[]): Promise<string>;
  /** Whether this person can create it. */
  mayMake: boolean;
};

/** Shown without orders or sequences: what belongs here, and an example as the first step. */
export function NoWork({ words, picture, make, mayMake }: Props) {
  const toasts = useToasts();
  const [, navigate] = useLocation();
  const places = useStationState((state) => state.places);
  const [busy, setBusy] = useState(false);
  const [first] = places;

  async function makeNow(): Promise<void> {
    setBusy(true);
    try {
      navigate(await make(places));
    } catch (error) {
      toasts.fail('', error);
      setBusy(false);
    }
  }

  const isPossible = mayMake && first !== undefined;
  return (
    <EmptyState
      picture={picture}
      title={words.title}
      body={
        <>
          <p>{words.body}</p>
          {isPossible && <p>{words.exampleHint(first.name)}</p>}
        </>
      }
      action={isPossible && <Button words={words.example} look="primary" busy={busy} onPress={() => void makeNow()} />}
    />
  );
}
