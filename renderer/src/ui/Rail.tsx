import { LayoutGrid, LogOut } from 'lucide-react';
import { useState } from 'react';
import { sentenceOf } from '../station/apiError.ts';
import { useStationContext, useStationState } from '../station/context.ts';
import { Button } from './Button.tsx';
import mark from './mark.svg';
import styles from './Rail.module.css';
import { texts } from './texts.ts';

/** The pages, each with its icon and word, and the way out. */
export function Rail() {
  const { session } = useStationContext();
  const user = useStationState(({ station }) => station?.user.name ?? '');
  const [failure, setFailure] = useState('');

  async function signOut(): Promise<void> {
    setFailure('');
    try {
      await session.signOut();
    } catch (error) {
      setFailure(sentenceOf(error, texts.failure.other));
    }
  }

  return (
    <nav className={styles.rail} aria-label={texts.rail.label}>
      <img className={styles.mark} src={mark} alt={texts.product} width={36} height={36} />
      <a className={styles.page} href="/" aria-current="page">
        <LayoutGrid size={20} strokeWidth={1.8} aria-hidden="true" />
        {texts.rail.station}
      </a>
      <div className={styles.end}>
        {failure !== '' && (
          <p role="alert" className={styles.failure}>
            {failure}
          </p>
        )}
        <span className={styles.user}>{user}</span>
        <Button look="quiet" onPress={() => void signOut()}>
          <span className={styles.leave}>
            <LogOut size={20} strokeWidth={1.8} aria-hidden="true" />
            {texts.rail.signOut}
          </span>
        </Button>
      </div>
    </nav>
  );
}
