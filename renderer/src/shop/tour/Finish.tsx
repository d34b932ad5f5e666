import { Link } from 'wouter';
import button from '../../kit/button/Button.module.css';
import { Button } from '../../kit/button/Button.tsx';
import { tour as words } from '../../words/tour.ts';
import styles from './Tour.module.css';

const STEPS = [
  { id: 'import', words: words.importOrders, to: '/import?what=orders' },
  { id: 'connect', words: words.realDevices, to: '/connections' },
  { id: 'places', words: words.setUpDevices, to: '/places/set-up' },
] as const;

/** The end of the tour, with next steps. */
export function Finish({ end }: { end(): void }) {
  return (
    <div className={styles.finish}>
      <h2 className={styles.steps}>{words.next}</h2>
      <div className={styles.next}>
        {STEPS.map((step) => (
          <Link key={step.id} href={step.to} className={button.button} data-look="plain" onClick={end}>
            {step.words}
          </Link>
        ))}
        <Button look="quiet" words={words.close} onPress={end} />
      </div>
    </div>
  );
}
