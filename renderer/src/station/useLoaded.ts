import { useCallback, useEffect, useRef, useState } from 'react';
import { sentenceOf } from './apiError.ts';
import { useStationState } from './context.ts';
import { texts } from '../ui/texts.ts';

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
 * lost station is back. `version` says that the same thing may be another now: what changes faster than it can be read is read
 * one time after the other, and never twice at once.
 */
export function useLoaded<T>(subject: string, version: string, load: () => Promise<T>): Loaded<T> {
  const [state, setState] = useState<State<T>>({ subject, value: undefined, failure: '' });
  const [asked, setAsked] = useState(0);
  const isLost = useStationState(({ connection }) => connection.kind === 'lost');
  const newest = useRef(load);
  useEffect(() => {
    newest.current = load;
  });

  const wanted = useRef(version);
  /** Which thing is being read, and how often somebody had asked for it by hand. */
  const reading = useRef<{ of: string }>(undefined);
  useEffect(() => {
    wanted.current = version;
    const of = `${asked} ${subject}`;
    if (isLost) reading.current = undefined;
    // What is being read is read once more when it is there.
    if (isLost || reading.current?.of === of) return;

    async function read(): Promise<void> {
      const mine = { of };
      reading.current = mine;
      const answeredTo = wanted.current;
      const answer = await newest.current().then(
        (value) => ({ value, failure: '' }),
        (error: unknown) => ({ failure: sentenceOf(error, texts.failure.other) }),
      );
      // Nobody waits for it any more.
      if (reading.current !== mine) return;
      reading.current = undefined;
      setState((before) => ({ ...(before.subject === subject ? before : { value: undefined }), subject, ...answer }));
      if (wanted.current !== answeredTo) await read();
    }
    void read();
  }, [subject, version, asked, isLost]);
  useEffect(() => () => void (reading.current = undefined), []);

  const reload = useCallback(() => setAsked((count) => count + 1), []);
  const isHere = state.subject === subject;
  return { value: isHere ? state.value : undefined, failure: isHere ? state.failure : '', reload };
}
