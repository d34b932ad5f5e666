import { useEffect, useRef, useState } from 'react';
import { sentenceOf } from './apiError.ts';
import { useStationState } from './context.ts';
import { texts } from '../ui/texts.ts';

/**
 * Asks at once, and `everyMs` after each answer again, as long as it is on and somebody can see this page: for what the
 * stream does not tell, because it changes all the time. Asks at once also where `news` is another value than before.
 * Answers why the last try failed; empty where it did not.
 */
export function usePolled<News = undefined>(
  ask: (news?: News) => Promise<void>,
  everyMs: number,
  isOn: boolean,
  news?: News,
): string {
  const [failure, setFailure] = useState('');
  const isLost = useStationState(({ connection }) => connection.kind === 'lost');
  const newest = useRef(ask);
  useEffect(() => {
    newest.current = ask;
  });

  useEffect(() => {
    if (!isOn || isLost) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isEnded = false;
    const again = () => {
      if (!isEnded) timer = setTimeout(look, everyMs);
    };
    const say = (words: string) => {
      if (!isEnded) setFailure(words);
      again();
    };
    function look(): void {
      if (document.visibilityState === 'hidden') return again();
      newest.current(news).then(
        () => say(''),
        (error: unknown) => say(sentenceOf(error, texts.failure.other)),
      );
    }
    look();
    return () => {
      isEnded = true;
      clearTimeout(timer);
    };
  }, [isOn, isLost, everyMs, news]);

  return failure;
}
