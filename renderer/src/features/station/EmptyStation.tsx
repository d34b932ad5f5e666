import { useState } from 'react';
import { EMPTY_SCREEN } from '#shared/screen/content.ts';
import { ScreenCanvas } from '../../shop/screen/ScreenCanvas.tsx';
import { sentenceOf } from '../../words/apiError.ts';
import { useRight, useStationContext } from '../../station/context.ts';
import { Button, ButtonLink } from '../../kit/button/Button.tsx';
import parts from '../../kit/parts.module.css';
import * as texts from '../../words/texts.ts';
import { useDemoShop } from '../../shop/tour/useDemoShop.ts';
import styles from './EmptyStation.module.css';

const COUNT = 6;

/** Shown without devices, with the first step: the demo shop if there are no racks, or simulated devices. */
export function EmptyStation({ hasRacks }: { hasRacks: boolean }) {
  const { api } = useStationContext();
  const maySetUp = useRight('set_up');
  const mayLabel = useRight('edit_labels');
  const demo = useDemoShop();
  const offersDemo = maySetUp && !hasRacks;
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState('');

  async function add(): Promise<void> {
    setBusy(true);
    setFailure('');
    try {
      await api.addSimulatedDevices(COUNT);
    } catch (error) {
      setFailure(`${texts.empty.failed} ${sentenceOf(error)}`);
    } finally {
      setBusy(false);
    }
  }

  return (
    <section className={`${parts.centered} ${styles.empty}`}>
      <div className={styles.device} aria-hidden="true">
        <ScreenCanvas screen={EMPTY_SCREEN} firmware={70} batteryMv={null} scale="whole" blankWords="" />
      </div>
      <h2>{texts.empty.title}</h2>
      <p>{texts.empty.body}</p>
      <p>{offersDemo ? texts.empty.demoHint : texts.empty.hint}</p>
      <div className={styles.actions}>
        {offersDemo && (
          <Button look="primary" busy={demo.busy} onPress={demo.create}>
            {demo.busy ? texts.empty.creating : texts.empty.demo}
          </Button>
        )}
        <Button look={offersDemo ? 'plain' : 'primary'} needs="simulate" busy={busy} onPress={() => void add()}>
          {busy ? texts.empty.adding : texts.empty.add(COUNT)}
        </Button>
        {mayLabel && <ButtonLink words={texts.places.setUp} to="/places/set-up" />}
      </div>
      <p role="alert" className={styles.failure}>
        {failure === '' ? demo.failure : failure}
      </p>
    </section>
  );
}
