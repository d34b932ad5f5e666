import { RadioTower, Sparkles } from 'lucide-react';
import { Button as AriaButton } from 'react-aria-components';
import { Link } from 'wouter';
import { texts } from '../../ui/texts.ts';
import { useDemoShop } from '../../station/useDemoShop.ts';
import styles from './WelcomePage.module.css';

const words = texts.welcome.start;

type Props = { connect(): void; finish(deviceid: string | undefined): void };

/** With what to begin: a shop of simulated devices, or hardware. */
export function ChooseStart({ connect, finish }: Props) {
  const { busy, failure, create } = useDemoShop(finish);

  return (
    <>
      <div className={styles.choices}>
        <AriaButton className={styles.choice ?? ''} data-first="true" onPress={() => void create()}>
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
