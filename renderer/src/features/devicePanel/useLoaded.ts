import { useCallback, useEffect, useRef, useState } from 'react';
import { sentenceOf } from '../../station/apiError.ts';
import { useStationState } from '../../station/context.ts';
import { texts } from '../../ui/texts.ts';

export type Loaded<T> = {
  /** Undefined until it was there once; what was there stays while newer is asked for. */
  value: T | undefined;
  /** Why the last try failed; empty where it did not. */
  failure: string;
  reload(): void;
};

type State<T> = { subject: string; value: T | undefined; failure: string };

/**
 * Something of the station that is no part of its live copy: asked for when `subject` or `version` changes, and again when a
 * lost station is back. `version` says that the same thing may be another now.
 */
export function useLoaded<T>(subject: string, version: string, load: () => Promise<T>): Loaded<T> {
  const [state, setState] = useState<State<T>>({ subject, value: undefined, failure: '' });
  const [asked, setAsked] = useState(0);
  const isLost = useStationState(({ connection }) => connection.kind === 'lost');
  const newest = useRef(load);
  useEffect(() => {
    newest.current = load;
  });

  const turn = `${subject} ${version} ${asked}`;
  const latest = useRef(turn);
  useEffect(() => {
    latest.current = turn;
    if (isLost) return;
    // An answer that a newer question has overtaken is old news.
    const answered = (after: (before: State<T>) => State<T>) => {
      if (latest.current === turn) setState(after);
    };
    newest.current().then(
      (value) => answered(() => ({ subject, value, failure: '' })),
      (error: unknown) => {
        const failure = sentenceOf(error, texts.failure.other);
        answered((before) => ({ subject, value: before.subject === subject ? before.value : undefined, failure }));
      },
    );
  }, [subject, turn, isLost]);

  const reload = useCallback(() => setAsked((count) => count + 1), []);
  const isHere = state.subject === subject;
  return { value: isHere ? state.value : undefined, failure: isHere ? state.failure : '', reload };
}
