import { ArrowDown, ArrowUp, Pencil, Trash2 } from 'lucide-react';
import { useCallback, useSyncExternalStore } from 'react';
import type { Rack } from '#shared/api/map.ts';
import { findDevice } from '#shared/api/reducer.ts';
import { isLitNow } from '../../../station/conditions.ts';
import { useStationContext } from '../../../station/context.ts';
import { Button } from '../../../kit/button/Button.tsx';
import { Failure } from '../../../kit/feedback/EmptyState.tsx';
import parts from '../../../kit/parts.module.css';
import * as texts from '../../../words/texts.ts';
import { useRackEdits } from '../edit/RackEdits.tsx';
import type { Mode } from './actions.ts';
import styles from './RackHead.module.css';

type Props = {
  rack: Rack;
  deviceids: readonly string[];
  racks: readonly Rack[];
  rowIndex: number;
  mode: Mode;
  failure: { about: string; words: string } | undefined;
};

/**
 * A rack heading with its name, its note and the number of lit devices. While the map is edited, it also has actions.
 */
export function RackHead({ rack, deviceids, racks, rowIndex, mode, failure }: Props) {
  const edits = useRackEdits();
  const lit = useLitCount(deviceids);
  const at = racks.findIndex(({ id }) => id === rack.id);
  const failed = failure?.about === rack.id ? failure.words : '';
  const facts = [
    rack.note,
    rack.shelves.length === 0 ? texts.map.noShelves : texts.map.rackDevices(deviceids.length),
    lit > 0 ? texts.map.rackLit(lit) : '',
  ];
  return (
    <div role="row" aria-rowindex={rowIndex} className={styles.head} data-mode={mode}>
      <div role="gridcell" className={styles.words}>
        <h2 className={`${parts.clip} ${styles.name}`} title={rack.name}>
          {texts.map.rackTitle(rack.name)}
        </h2>
        <p className={parts.cut}>{facts.filter((fact) => fact !== '').join(' · ')}</p>
        {failed !== '' && <Failure>{failed}</Failure>}
      </div>
      {mode === 'edit' && (
        <div role="gridcell" className={styles.actions}>
          <Button
            icon={ArrowUp}
            look="icon"
            aria-label={texts.map.rackUp(rack.name)}
            isDisabled={at === 0}
            onPress={() => edits.move(rack, at - 1)}
          />
          <Button
            icon={ArrowDown}
            look="icon"
            aria-label={texts.map.rackDown(rack.name)}
            isDisabled={at === racks.length - 1}
            onPress={() => edits.move(rack, at + 1)}
          />
          <Button icon={Pencil} aria-label={texts.map.rackMenu(rack.name)} onPress={() => edits.edit(rack)}>
            {texts.map.rackEdit}
          </Button>
          <Button
            icon={Trash2}
            aria-label={`${texts.map.rackRemove} ${texts.map.rackTitle(rack.name)}`}
            onPress={() => edits.remove(rack)}
          >
            {texts.map.rackRemove}
          </Button>
        </div>
      )}
    </div>
  );
}

/** Returns how many of these devices are lit. Recounts only when one of them changes. */
function useLitCount(deviceids: readonly string[]): number {
  const { store } = useStationContext();
  const watch = useCallback(
    (changed: () => void) => {
      const stops = deviceids.map((deviceid) => store.watchDevice(deviceid, changed));
      return () => {
        for (const stop of stops) stop();
      };
    },
    [store, deviceids],
  );
  return useSyncExternalStore(watch, () => {
    const devices = store.getState().station?.devices ?? [];
    return deviceids.reduce((lit, deviceid) => {
      const device = findDevice(devices, deviceid);
      return lit + Number(device !== undefined && isLitNow(device));
    }, 0);
  });
}
