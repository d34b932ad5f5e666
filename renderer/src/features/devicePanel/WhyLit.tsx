import { useEffect, useRef } from 'react';
import type { Device } from '#shared/api/device.ts';
import { useStationContext } from '../../station/context.ts';
import { Button } from '../../ui/Button.tsx';
import { texts } from '../../ui/texts.ts';
import { Timeline } from './Timeline.tsx';
import { useLoaded } from './useLoaded.ts';
import styles from './WhyLit.module.css';

const FIRST_LOOK_MS = 500;
const LONGEST_WAIT_MS = 15_000;

type Props = {
  commandId: string;
  device: Device;
  /** What the timeline is called where nothing else does. */
  title?: string;
};

/** Loads the timeline of one command, and again whenever something happens to it, until its callbacks are delivered. */
export function WhyLit({ commandId, device, title }: Props) {
  const { api } = useStationContext();
  const entry = device.commands.find(({ command_id }) => command_id === commandId);
  const version = entry === undefined ? 'over' : JSON.stringify([entry, device.commands[0] === entry]);
  const { value, failure, reload } = useLoaded(commandId, version, () => api.loadTimeline(commandId));

  // No fact tells of a delivery: look again, ever more rarely.
  const waitMs = useRef(FIRST_LOOK_MS);
  useEffect(() => {
    if (value === undefined || value.callbacks.every(({ state }) => state !== 'pending')) {
      waitMs.current = FIRST_LOOK_MS;
      return undefined;
    }
    const timer = setTimeout(() => {
      waitMs.current = Math.min(LONGEST_WAIT_MS, waitMs.current * 2);
      reload();
    }, waitMs.current);
    return () => clearTimeout(timer);
  }, [value, reload]);

  return (
    <>
      {value !== undefined && <Timeline timeline={value} device={device} {...(title === undefined ? {} : { title })} />}
      {value === undefined && title !== undefined && <h3 className={styles.title}>{title}</h3>}
      {value === undefined && failure === '' && <p className={styles.quiet}>{texts.why.loading}</p>}
      {failure !== '' && (
        <div role="alert" className={styles.failure}>
          <p>
            {texts.why.failed} {failure}
          </p>
          <Button onPress={reload}>{texts.why.again}</Button>
        </div>
      )}
    </>
  );
}
