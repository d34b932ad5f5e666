import { type ReactNode, useId } from 'react';
import { Button } from '../../kit/button/Button.tsx';
import { Failure } from '../../kit/feedback/EmptyState.tsx';
import parts from '../../kit/parts.module.css';
import { useStationState } from '../../station/context.ts';
import * as texts from '../../words/texts.ts';
import styles from './SubmitRow.module.css';

type Props = {
  /** What the button does. */
  words: string;
  /** `plain` beside another form that is more to the point. */
  look?: 'primary' | 'plain';
  busy: boolean;
  /** Why it cannot be done now; empty where it can. */
  obstacle: string;
  /** What failed at the last try. */
  failure: string;
  /** Beside the button. */
  children?: ReactNode;
};

/** The button of a form, and beside it why it does not work or what failed. */
export function SubmitRow({ words, look = 'primary', busy, obstacle, failure, children }: Props) {
  const reason = useId();
  return (
    <div className={parts.stack2}>
      <div className={`${parts.row} ${styles.buttons}`}>
        {/* Not dimmed where it does not work: its words and the reason beside it are to be read. */}
        <Button look={obstacle === '' ? look : 'plain'} type="submit" busy={busy} aria-describedby={reason}>
          {words}
        </Button>
        {children}
      </div>
      <p id={reason} role="status" className={parts.careStrong}>
        {obstacle}
      </p>
      <Failure>{failure}</Failure>
    </div>
  );
}

/** Why nothing can be sent to a device now, as a sentence; empty where nothing is in the way. */
export function useObstacle(isKnown: boolean): string {
  const isLost = useStationState(({ connection }) => connection.kind === 'lost');
  if (isLost) return texts.panel.outage;
  return isKnown ? '' : texts.panel.vanished;
}
