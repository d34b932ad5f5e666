import { useState } from 'react';
import { useStationState } from '../../station/context.ts';
import { Button, ButtonLink } from '../../kit/button/Button.tsx';
import parts from '../../kit/parts.module.css';
import * as texts from '../../words/texts.ts';
import styles from './MapHint.module.css';

const STORED_AT = 'pickstation.mapHint';

type Props = { makeRack(): void; arrangeable: number; arrange(): void };

/** Suggests creating a map while there is none. A dismissed hint stays hidden in this browser. */
export function MapHint({ makeRack, arrangeable, arrange }: Props) {
  const [hidden, setHidden] = useState(read);
  const isUnlabeled = useStationState(({ places }) => places.some(({ deviceid, name }) => name === deviceid));
  if (hidden) return null;

  function dismiss(): void {
    setHidden(true);
    try {
      localStorage.setItem(STORED_AT, 'hidden');
    } catch {
      // The choice could not be stored, so the hint appears again at the next visit.
    }
  }

  return (
    <section className={styles.hint}>
      <p className={styles.words}>{texts.map.plainHint}</p>
      <div className={parts.row}>
        {arrangeable > 0 && <Button onPress={arrange}>{texts.map.arrange(arrangeable)}</Button>}
        {isUnlabeled && <ButtonLink words={texts.places.setUp} to="/places/set-up" />}
        <Button onPress={makeRack}>{texts.map.makeRack}</Button>
        <Button look="quiet" onPress={dismiss}>
          {texts.map.plainDismiss}
        </Button>
      </div>
    </section>
  );
}

function read(): boolean {
  try {
    return localStorage.getItem(STORED_AT) === 'hidden';
  } catch {
    return false;
  }
}
