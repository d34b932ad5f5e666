import type { Device } from '#shared/api/device.ts';
import { useStationContext } from '../../station/context.ts';
import { texts } from '../../ui/texts.ts';
import { HistoryRow } from './HistoryRow.tsx';
import styles from './NowTab.module.css';
import { useLoaded } from '../../station/useLoaded.ts';

/** The last thing that happened at a device; where it is idle, with its timeline. Nothing where that is not known. */
export function LastEvent({ device, isIdle }: { device: Device; isIdle: boolean }) {
  const { api } = useStationContext();
  const open = device.commands.map(({ command_id }) => command_id).join(' ');
  const { value } = useLoaded(device.deviceid, `${open} ${device.last_seen}`, () =>
    api.loadHistory({ deviceid: device.deviceid, limit: 1 }),
  );
  const last = value?.[0];
  if (value === undefined || (last === undefined && !isIdle)) return null;
  return (
    <section className={styles.section}>
      <h3 className={styles.title}>{texts.why.last}</h3>
      {last === undefined ? (
        <p className={styles.quiet}>{texts.why.nothing}</p>
      ) : (
        <ul className={styles.list}>
          <HistoryRow key={`${last.id} ${isIdle}`} entry={last} device={device} opensAtOnce={isIdle} />
        </ul>
      )}
    </section>
  );
}
