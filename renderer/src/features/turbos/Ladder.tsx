import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import type { TurboLink } from '#shared/api/turbo.ts';
import { sentenceOf } from '../../station/apiError.ts';
import { useRight, useStationContext } from '../../station/context.ts';
import { formatTimeLeft, useTimed } from '../../station/time.ts';
import { Button } from '../../ui/Button.tsx';
import parts from '../../ui/parts.module.css';
import { texts } from '../../ui/texts.ts';
import styles from './Card.module.css';

const words = texts.turbos.link;

/** The current step for a port without a turbo, its reason and the next attempt. */
export function Ladder({ link: { id, path, step, problem, attempts, next_try } }: { link: TurboLink }) {
  const { api } = useStationContext();
  const mayTry = useRight('manage_turbos');
  const [failure, setFailure] = useState('');
  const nextTryAt = Date.parse(next_try ?? '');
  const next = useTimed((now) =>
    Number.isNaN(nextTryAt) ? words.stepHelp[step] : words.nextTry(formatTimeLeft(nextTryAt - now), attempts),
  );

  function tryNow(): void {
    setFailure('');
    api.retryTurboLink(id).catch((error: unknown) => setFailure(`${words.tryFailed} ${sentenceOf(error)}`));
  }

  return (
    <div className={styles.ladder}>
      <div className={styles.why}>
        <p className={parts.strong} role="status">
          {words.steps[step]}
        </p>
        {problem !== null && <p>{problem}</p>}
        <p className={`${parts.figures} ${styles.next}`}>{next}</p>
      </div>
      {mayTry && step !== 'opening' && (
        <Button icon={RotateCw} words={words.tryNow} aria-label={words.tryNowOf(path)} onPress={tryNow} />
      )}
      <p role="alert" className={`${parts.failure} ${styles.failure}`}>
        {failure}
      </p>
    </div>
  );
}
