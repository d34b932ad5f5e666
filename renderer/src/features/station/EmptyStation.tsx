import { Map as MapIcon } from 'lucide-react';
import { EMPTY_SCREEN } from '#shared/screen/content.ts';
import { ScreenCanvas } from '../../shop/screen/ScreenCanvas.tsx';
import { useRight, useStationContext } from '../../station/context.ts';
import { useAct } from '../../useAct.ts';
import { Button, ButtonLink } from '../../kit/button/Button.tsx';
import parts from '../../kit/parts.module.css';
import * as texts from '../../words/texts.ts';
import { useDemoShop } from '../../shop/tour/useDemoShop.ts';
import styles from './EmptyStation.module.css';

const COUNT = 6;

/** Shown if there are no devices. Offers the demo shop if there are no racks either, and simulated devices. */
export function EmptyStation({ hasRacks, editMap }: { hasRacks: boolean; editMap(): void }) {
  const { api } = useStationContext();
  const maySetUp = useRight('set_up');
  const mayLabel = useRight('edit_labels');
  const demo = useDemoShop();
  const offersDemo = maySetUp && !hasRacks;
  const add = useAct(() => api.addSimulatedDevices({ body: { count: COUNT } }), texts.empty.failed);
  return (
    <section className={`${parts.centered} ${styles.empty}`}>
      <div className={styles.device} aria-hidden="true">
        <ScreenCanvas screen={EMPTY_SCREEN} firmware={70} batteryMv={null} scale="whole" blankWords="" />
      </div>
      <h2>{texts.empty.title}</h2>
      <p>{hasRacks ? texts.empty.bodyRacks : texts.empty.body}</p>
      <p>{offersDemo ? texts.empty.demoHint : texts.empty.hint}</p>
      <div className={styles.actions}>
        {offersDemo && (
          <Button look="primary" busy={demo.busy} onPress={demo.run}>
            {demo.busy ? texts.empty.creating : texts.empty.demo}
          </Button>
        )}
        <Button look={offersDemo ? 'plain' : 'primary'} needs="simulate" busy={add.busy} onPress={() => add.run()}>
          {add.busy ? texts.empty.adding : texts.empty.add(COUNT)}
        </Button>
        {hasRacks && <Button icon={MapIcon} words={texts.map.edit} needs="edit_map" onPress={editMap} />}
        {mayLabel && <ButtonLink words={texts.places.setUp} to="/places/set-up" />}
      </div>
      <p role="alert" className={styles.failure}>
        {add.status === 'failed' ? add.failure : demo.status === 'failed' && demo.failure}
      </p>
    </section>
  );
}
