import { type ReactNode, useId } from 'react';
import { Button } from '../../kit/button/Button.tsx';
import { Failure } from '../../kit/feedback/EmptyState.tsx';
import parts from '../../kit/parts.module.css';
import { useStationState } from '../../station/context.ts';
import * as texts from '../../words/texts.ts';
import styles from './SubmitRow.module.css';

type Props = {
  words: string;
  /** Use `plain` next to a more important form. */
  look?: 'primary' | 'plain';
  busy: boolean;
  /** The reason why the action is not possible now; empty if it is possible. */
  obstacle: string;
  /** The reason why the last attempt failed; empty if there was no error. */
  failure: string;
  /** Content next to the button. */
  children?: ReactNode;
};

/** The submit button of a form, with the reason why the action is not possible or has failed. */
export function SubmitRow({ words, look = 'primary', busy, obstacle, failure, children }: Props) {
  const reason = useId();
  return (
    <div className={parts.stack2}>
      <div className={`${parts.row} ${styles.buttons}`}>
        {/* Not disabled, so that the button's text and the reason stay readable. */}
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

/** Returns the reason why nothing can be sent to a device now, as a sentence; empty if sending is possible. */
export function useObstacle(isKnown: boolean): string {
  const isLost = useStationState(({ connection }) => connection.kind === 'lost');
  if (isLost) return texts.panel.outage;
  return isKnown ? '' : texts.panel.vanished;
}
