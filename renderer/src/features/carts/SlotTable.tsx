import type { Carrier } from '#shared/api/carrier.ts';
import { useStationState } from '../../station/context.ts';
import { carts as words } from '../../words/carts.ts';
import parts from '../../kit/parts.module.css';
import styles from './Carts.module.css';

/** A read-only table of the slots with their codes and devices. */
export function SlotTable({ slots, label }: { slots: Carrier['slots']; label: string }) {
  const places = useStationState((state) => state.places);
  const nameOf = (deviceid: string | null) =>
    places.find((place) => place.deviceid === deviceid)?.name ?? deviceid ?? '–';
  return (
    <table className={styles.table} aria-label={label}>
      <thead className={parts.quiet}>
        <tr>
          <th scope="col">{words.table.slot}</th>
          <th scope="col">{words.table.code}</th>
          <th scope="col">{words.table.front}</th>
          <th scope="col">{words.table.back}</th>
        </tr>
      </thead>
      <tbody>
        {slots.map(({ slot, code, deviceid, back_deviceid: back }) => (
          <tr key={slot}>
            <th scope="row">{slot}</th>
            <td>{code ?? '–'}</td>
            <td>{nameOf(deviceid)}</td>
            <td>{nameOf(back)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
