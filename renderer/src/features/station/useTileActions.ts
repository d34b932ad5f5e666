import { type RefObject, useLayoutEffect, useMemo, useRef } from 'react';
import { useRight } from '../../station/context.ts';
import type { MapEditor } from './edit/mapEditor.ts';
import type { Carrying } from './edit/useCarrying.ts';
import type { Mode, TileActions } from './map/actions.ts';
import type { MapHandle } from './StationMap.tsx';

type Parts = {
  map: RefObject<MapHandle | null>;
  mode: Mode;
  setMode(mode: Mode): void;
  select(deviceid: string): void;
  choose(deviceid: string, between?: MapHandle['between']): void;
  carrying: Carrying;
  editor: MapEditor;
  askMove(deviceid: string): void;
};

/**
 * Returns the actions for tiles. The object stays the same even if the mode or the selection changes, so that tiles do
 * not rerender.
 */
export function useTileActions({ map, mode, setMode, select, choose, carrying, editor, askMove }: Parts): TileActions {
  const mayWork = useRight('work');
  const newest = useRef({ mayWork, select, mode });
  useLayoutEffect(() => {
    newest.current = { mayWork, select, mode };
  });
  return useMemo(
    () => ({
      open: (deviceid) => newest.current.select(deviceid),
      choose(deviceid, range) {
        if (!newest.current.mayWork) return newest.current.select(deviceid);
        const begins = newest.current.mode !== 'choose';
        setMode('choose');
        choose(deviceid, range ? map.current?.between : undefined);
        // The tile's control was replaced, so focus the new one.
        if (begins) map.current?.focus(deviceid);
      },
      carry(deviceid) {
        if (carrying.store.getState().carried === undefined) return carrying.pickUp(deviceid, 'keys');
        carrying.drop();
        map.current?.focus(deviceid);
      },
      moveTo: askMove,
      dismissFailure: editor.dismiss,
    }),
    [map, setMode, choose, carrying, editor, askMove],
  );
}
