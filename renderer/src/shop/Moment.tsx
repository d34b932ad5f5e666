import { useTimed } from '../station/time.ts';
import { agoWords, exactWords } from '../words/moments.ts';

type Props = {
  at: string;
  /** Builds the sentence around the time, such as `Used 2 minutes ago`. By default, only the time is shown. */
  words?: (ago: string) => string;
};

/** The elapsed time since `at`, with the exact time as a tooltip. */
export function Moment({ at, words = asItIs }: Props) {
  const ms = Date.parse(at);
  const text = useTimed((now) => words(agoWords(ms, now)));
  return (
    <time dateTime={at} title={exactWords(ms)}>
      {text}
    </time>
  );
}

const asItIs = (ago: string): string => ago;
