import { useState } from 'react';
import { Link } from 'wouter';
import { useRight, useStationContext } from '../../station/context.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import button from '../../kit/button/Button.module.css';
import { Button } from '../../kit/button/Button.tsx';
import { demoShop } from '../../words/firstDay.ts';
import { tour as words } from '../../words/tour.ts';
import { RemoveDemo } from './RemoveDemo.tsx';
import styles from './Tour.module.css';

const STEPS = [
  { id: 'import', words: words.importOrders, to: '/import?what=orders' },
  { id: 'connect', words: words.realDevices, to: '/connections' },
  { id: 'places', words: words.setUpDevices, to: '/places/set-up' },
] as const;

/** The end of the tour, with next steps. Offers to remove the demo shop as long as there is one. */
export function Finish({ end }: { end(): void }) {
  const { api } = useStationContext();
  const maySetUp = useRight('set_up');
  const isDemo = useStationQuery(['firstDay'], () => api.getFirstDay(), { isOn: maySetUp }).value?.demo ?? false;
  const [removes, setRemoves] = useState(false);
  return (
    <div className={styles.finish}>
      <h2 className={styles.steps}>{words.next}</h2>
      <div className={styles.next}>
        {STEPS.map((step) => (
          <Link key={step.id} href={step.to} className={button.button} data-look="plain" onClick={end}>
            {step.words}
          </Link>
        ))}
        {isDemo && <Button words={demoShop.remove} onPress={() => setRemoves(true)} />}
        <Button look="quiet" words={words.close} onPress={end} />
      </div>
      {removes && <RemoveDemo close={() => setRemoves(false)} removed={end} />}
    </div>
  );
}
