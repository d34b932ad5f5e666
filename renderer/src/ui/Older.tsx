import type { Pages } from '../station/usePages.ts';
import { Button } from './Button.tsx';
import { Failure } from './Failure.tsx';
import { texts } from './texts.ts';

type Props = {
  pages: Omit<Pages<unknown>, 'newest' | 'entries'>;
  /** What failed, before the reason. */
  failed: string;
};

/** At the end of a list that grows at its beginning: a button for the next page, and why that failed. */
export function Older({ pages: { isEnd, busy, failure, loadOlder }, failed }: Props) {
  return (
    <>
      {!isEnd && (
        <Button words={busy ? texts.frame.loading : texts.frame.older} busy={busy} onPress={() => void loadOlder()} />
      )}
      <Failure>{failure === '' ? '' : `${failed} ${failure}`}</Failure>
    </>
  );
}
