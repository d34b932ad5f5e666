import type { Zone } from '#shared/api/map.ts';
import { ChoiceField } from '../../ui/choiceFields.tsx';
import { texts } from '../../ui/texts.ts';
import styles from './ZoneChoice.module.css';

const ALL = 'all';
/** A zone may have any id, also that. */
const keyOf = (id: string) => `zone ${id}`;

type Props = { zones: readonly Zone[]; zone: Zone | undefined; choose(id: string | undefined): void };

/** Which part of the shop is seen. */
export function ZoneChoice({ zones, zone, choose }: Props) {
  return (
    <div className={styles.choice}>
      <ChoiceField
        name="zone"
        label={texts.zones.choose}
        value={zone === undefined ? ALL : keyOf(zone.id)}
        onChange={(key) => choose(zones.find(({ id }) => keyOf(id) === key)?.id)}
        choices={[{ id: ALL, text: texts.zones.all }, ...zones.map(({ id, name }) => ({ id: keyOf(id), text: name }))]}
      />
    </div>
  );
}
