import { useCallback, useMemo, useState } from 'react';
import { useStationContext } from '../../../station/context.ts';
import { nameOf } from '../../../station/places.ts';
import { findDevice } from '#shared/api/reducer.ts';
import { createCarryStore, sameTarget, stepTarget, targetOf, type CarryStore, type DropTarget } from './carry.ts';
import type { MapEditor } from './mapEditor.ts';
import { moveEdit, type NameOf } from './mapEdits.ts';

export type Carrying = {
  store: CarryStore;
  nameOf: NameOf;
  pickUp(deviceid: string, by: 'pointer' | 'keys'): void;
  aim(target: DropTarget): void;
  /** Moves the picked-up device to its target. */
  drop(): void;
  cancel(): void;
  move(deviceid: string, target: DropTarget): void;
  /** Moves the target if the key is an arrow key, and cancels on Escape. Returns whether the key was handled. */
  handleKey(key: string): boolean;
};

/** Moves devices by mouse, touch or keyboard. */
export function useCarrying(editor: MapEditor): Carrying {
  const { store: station } = useStationContext();
  const [store] = useState(createCarryStore);
  const nameHere = useCallback<NameOf>(
    (deviceid) => {
      const device = findDevice(station.getState().station?.devices ?? [], deviceid);
      return device === undefined ? deviceid : nameOf(device);
    },
    [station],
  );

  return useMemo(() => {
    function move(deviceid: string, target: DropTarget): void {
      const { map } = editor.getState();
      if (sameTarget(targetOf(map, deviceid), target)) return;
      const edit = moveEdit(map, deviceid, target === 'tray' ? undefined : target, nameHere);
      // Ignore the error here: it is shown at the device.
      editor.run(edit).catch(() => undefined);
    }

    function cancel(): void {
      store.setState({ carried: undefined });
    }

    function drop(): void {
      const { carried } = store.getState();
      cancel();
      if (carried?.target !== undefined) move(carried.deviceid, carried.target);
    }

    function aim(target: DropTarget): void {
      const { carried } = store.getState();
      if (carried !== undefined) store.setState({ carried: { ...carried, target } });
    }

    return {
      store,
      nameOf: nameHere,
      pickUp(deviceid, by) {
        const { map } = editor.getState();
        store.setState({ carried: { deviceid, by, target: targetOf(map, deviceid), map } });
      },
      aim,
      drop,
      cancel,
      move,
      handleKey(key) {
        const { carried } = store.getState();
        if (carried === undefined) return false;
        if (key === 'Escape') {
          cancel();
          return true;
        }
        const next = stepTarget(carried.map, carried.target ?? targetOf(carried.map, carried.deviceid), key);
        if (next === undefined) return false;
        aim(next);
        return true;
      },
    };
  }, [editor, store, nameHere]);
}
