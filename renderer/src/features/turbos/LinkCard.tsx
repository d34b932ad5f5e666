import { Unplug } from 'lucide-react';
import { useState } from 'react';
import type { TurboLink } from '#shared/api/turbo.ts';
import { Button } from '../../ui/Button.tsx';
import { texts } from '../../ui/texts.ts';
import styles from './Card.module.css';
import { Ladder } from './Ladder.tsx';
import { Fact } from './TurboCard.tsx';
import { Disconnect } from './TurboDialogs.tsx';

const words = texts.turbos;

/** A port that is kept open, and on which no turbo has been heard. */
export function LinkCard({ link, isAdmin }: { link: TurboLink; isAdmin: boolean }) {
  const { path, serial_number, baud_rate, flow_control } = link;
  const [asks, setAsks] = useState(false);
  return (
    <li className={styles.card} aria-label={path} data-down>
      <header className={styles.head}>
        <span className={styles.sign} aria-hidden="true">
          <Unplug size={20} strokeWidth={1.8} />
        </span>
        <div className={styles.title}>
          <h2>{path}</h2>
          <p className={styles.status}>{words.link.kind}</p>
        </div>
      </header>
      <Ladder link={link} />
      <dl className={styles.facts}>
        <Fact word={words.serial.baud} value={words.link.line(baud_rate, flow_control)} />
        {serial_number !== '' && <Fact word={words.facts.serial} value={serial_number} />}
      </dl>
      {isAdmin && (
        <footer className={styles.actions}>
          <Button onPress={() => setAsks(true)}>{words.disconnect.action}</Button>
        </footer>
      )}
      {asks && <Disconnect link={link} onClose={() => setAsks(false)} />}
    </li>
  );
}
