import { useState } from 'react';
import { EMPTY_SCREEN } from '#shared/screen/content.ts';
import { ScreenCanvas } from '../../screen/ScreenCanvas.tsx';
import { sentenceOf } from '../../station/apiError.ts';
import { useRight, useStationContext, useStationState } from '../../station/context.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import parts from '../../ui/parts.module.css';
import { texts } from '../../ui/texts.ts';
import { useDemoShop } from '../tour/useDemoShop.ts';
import styles from './EmptyStation.module.css';

const COUNT = 6;

/** What would be here, and the first step: the demo shop, where there are no racks, or some simulated devices. */
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
        {mayLabel && <ButtonLink words={texts.devices.setUp} to="/setup-devices" />}
      </div>
      <p role="alert" className={styles.failure}>
        {failure === '' ? demo.failure : failure}
      </p>
    </section>
  );
}

const STORED_AT = 'pickstation.mapHint';

type Props = { makeRack(): void; arrangeable: number; arrange(): void };

/** How to come to a map, where there is none. Nobody has to: "Not now" lasts in this browser. */
export function MapHint({ makeRack, arrangeable, arrange }: Props) {
  const [hidden, setHidden] = useState(read);
  const isUnlabelled = useStationState(({ places }) => places.some(({ deviceid, name }) => name === deviceid));
  if (hidden) return null;

  function dismiss(): void {
    setHidden(true);
    try {
      localStorage.setItem(STORED_AT, 'hidden');
    } catch {
      // It comes again with the next visit.
    }
  }

  return (
    <section className={styles.hint}>
      <p className={styles.words}>{texts.map.plainHint}</p>
      <div className={parts.row}>
        {arrangeable > 0 && <Button onPress={arrange}>{texts.map.arrange(arrangeable)}</Button>}
        {isUnlabelled && <ButtonLink words={texts.devices.setUp} to="/setup-devices" />}
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
