import type { Device } from '#shared/api/device.ts';
import { Button } from '../../ui/Button.tsx';
import { texts } from '../../ui/texts.ts';
import { Timeline } from './Timeline.tsx';
import { useTimeline } from './useTimeline.ts';
import styles from './WhyLit.module.css';

type Props = {
  commandId: string;
  device: Device;
  /** What the timeline is called where nothing else does. */
  title?: string;
};

/** Loads the timeline of one command, and again whenever something happens to it, until its callbacks are delivered. */
export function WhyLit({ commandId, device, title }: Props) {
  const entry = device.commands.find(({ command_id }) => command_id === commandId);
  const version = entry === undefined ? 'over' : JSON.stringify([entry, device.commands[0] === entry]);
  const { value, failure, reload } = useTimeline(commandId, version);

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
