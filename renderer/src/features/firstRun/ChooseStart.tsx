import { RadioTower, Sparkles } from 'lucide-react';
import { useState } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { Link } from 'wouter';
import type { StationMap } from '#shared/api/map.ts';
import { sentenceOf } from '../../station/apiError.ts';
import { useStationContext } from '../../station/context.ts';
import { texts } from '../../ui/texts.ts';
import styles from './WelcomePage.module.css';

const words = texts.welcome.start;

type Props = { connect(): void; finish(deviceid: string | undefined): void };

/** With what to begin: a shop of simulated devices, or hardware. */
export function ChooseStart({ connect, finish }: Props) {
  const { api } = useStationContext();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState('');

  async function tryIt(): Promise<void> {
    if (busy) return;
    setBusy(true);
    setFailure('');
    try {
      finish(firstOf(await api.setUpDemo()));
    } catch (error) {
      setFailure(sentenceOf(error, texts.failure.other));
      setBusy(false);
    }
  }

  return (
    <>
      <div className={styles.choices}>
        <AriaButton className={styles.choice ?? ''} data-first="true" onPress={() => void tryIt()}>
          <Sparkles size={22} strokeWidth={1.8} aria-hidden="true" />
          <span className={styles.choiceTitle}>{busy ? words.making : words.demo}</span>
          <span className={styles.choiceWords}>{words.demoWords}</span>
        </AriaButton>
        <AriaButton className={styles.choice ?? ''} onPress={connect}>
          <RadioTower size={22} strokeWidth={1.8} aria-hidden="true" />
          <span className={styles.choiceTitle}>{words.turbo}</span>
          <span className={styles.choiceWords}>{words.turboWords}</span>
        </AriaButton>
      </div>
      <p role="alert" className={styles.failure}>
        {failure}
      </p>
      <Link className={styles.skip ?? ''} href="/">
        {words.skip}
      </Link>
    </>
  );
}

/** The device that one reads first: the leftmost of the uppermost shelf. */
function firstOf({ racks, places }: StationMap): string | undefined {
  const shelves = racks.flatMap((rack) => rack.shelves.map(({ id }) => id));
  return places.toSorted((a, b) => shelves.indexOf(a.shelf) - shelves.indexOf(b.shelf) || a.column - b.column)[0]
    ?.deviceid;
}
