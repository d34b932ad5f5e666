import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type Ref,
  useCallback,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useStore } from 'zustand';
import type { Zone } from '#shared/api/map.ts';
import * as texts from '../../words/texts.ts';
import { type DropTarget, targetOf } from './edit/carry.ts';
import { CarryGhost, CarryProvider, createPointer } from './edit/CarryGhost.tsx';
import type { MapEditor } from './edit/mapEditor.ts';
import type { Carrying } from './edit/useCarrying.ts';
import { targetAt, useDragging } from './edit/useDragging.ts';
import type { Mode, TileActions } from './map/actions.ts';
import type { Level } from './map/levels.ts';
import { createRowKeeper, layOutMap, type MapLayout } from './map/mapLayout.ts';
import { MapRowView } from './map/MapRowView.tsx';
import { measureMap } from './map/metrics.ts';
import { neighborOf } from './map/neighbor.ts';
import { SoughtProvider, useSoughtStore } from './map/sought.ts';
import { usePacedRows } from './map/usePacedRows.ts';
import { useTileFocus } from './map/useTileFocus.ts';
import { FIRST_BOX, useRows, useScrollBox } from './map/useRows.ts';
import styles from './StationMap.module.css';
import { racksOf } from './useZone.ts';

/** Functions that the page calls on its map. */
export type MapHandle = {
  /** Focuses a device and scrolls to it. */
  focus(deviceid: string): void;
  /** Returns the devices from `one` to `other`, in reading order. */
  between(one: string, other: string): readonly string[];
};

type Props = {
  handle: Ref<MapHandle>;
  /** All devices in the zone, sorted by name. */
  deviceids: readonly string[];
  /** The zone whose racks are drawn, or undefined for all racks. */
  zone: Zone | undefined;
  searched: string;
  /** Devices that match the search and the filter, or undefined if all devices do. */
  matches: ReadonlySet<string> | undefined;
  level: Level;
  mode: Mode;
  selected: string | undefined;
  chosen: ReadonlySet<string>;
  editor: MapEditor;
  carrying: Carrying;
  actions: TileActions;
  /** Content above the map that scrolls with it. */
  children?: ReactNode;
};

/** The map of devices. Tab visits all controls; arrow keys move between devices. */
export function StationMap(props: Props) {
  const { handle, zone, searched, matches, mode, selected, chosen, editor, carrying, actions } = props;
  const scroll = useRef<HTMLDivElement>(null);
  const grid = useRef<HTMLDivElement>(null);
  const carriedMap = useStore(carrying.store, ({ carried }) => carried?.map);
  const carriedId = useStore(carrying.store, ({ carried }) => carried?.deviceid);
  const drawnMap = useStore(editor, ({ map }) => map);
  const failure = useStore(editor, (state) => state.failure);
  const whole = carriedMap ?? drawnMap;
  const map = useMemo(() => (zone === undefined ? whole : { ...whole, racks: racksOf(whole, zone) }), [whole, zone]);
  const { layout, metrics, measured } = useMapLayout(props, map, scroll);

  const { pinned, anchor, reveal, focus, onFocus, onBlur } = useTileFocus(layout, scroll, {
    selected,
    carried: carriedId,
  });
  const rows = useRows({ layout, measured, scroll, pinned, anchor });

  useImperativeHandle(handle, () => ({
    focus,
    between(one, other) {
      const [from = 0, to = 0] = [one, other].map((id) => layout.order.indexOf(id)).toSorted((a, b) => a - b);
      return from < 0 ? [other] : layout.order.slice(from, to + 1);
    },
  }));

  const [pointer] = useState(createPointer);
  useDragging({
    enabled: mode === 'edit',
    grid,
    scroll,
    carry: carrying.store,
    pickUp: useCallback((deviceid: string) => carrying.pickUp(deviceid, 'pointer'), [carrying]),
    drop: carrying.drop,
    cancel: carrying.cancel,
    follow: pointer.moveTo,
  });

  const sought = useSoughtStore(searched, matches);
  const drawn = usePacedRows(
    rows.getVirtualItems().flatMap(({ key, index }) => {
      const row = layout.rows[index];
      return row === undefined ? [] : [{ key, index, row, top: layout.starts[index] }];
    }),
    useCallback(
      ({ index }: { index: number }) => pinned().some((deviceid) => layout.spots.get(deviceid ?? '')?.row === index),
      [layout, pinned],
    ),
  );

  const commons = { metrics, mode, selected, chosen, failure, actions, racks: map.racks };
  return (
    <CarryProvider value={carrying.store}>
      <div ref={scroll} className={styles.scroll}>
        {props.children}
        <p id="map-keys" className="visuallyHidden">
          {mode === 'edit' ? texts.map.howTo : texts.station.keys}
        </p>
        <div
          ref={grid}
          role="grid"
          className={styles.map}
          style={{ height: layout.starts.at(-1) ?? 0 }}
          aria-label={texts.station.map}
          aria-describedby="map-keys"
          aria-rowcount={layout.rowCount}
          aria-colcount={layout.colCount}
          aria-multiselectable={mode === 'choose' || undefined}
          data-mode={mode}
          onKeyDown={(event) => pressKey(event, { layout, carrying, reveal, focus })}
          onClickCapture={(event) => dropAtClick(event, carrying)}
          onBlur={onBlur}
          onFocus={onFocus}
        >
          <SoughtProvider value={sought}>
            {drawn.map(({ key, row, top }) => (
              <div key={key} className={styles.row} style={{ height: row.height, transform: `translateY(${top}px)` }}>
                <MapRowView row={row} {...commons} />
              </div>
            ))}
          </SoughtProvider>
        </div>
        <CarryGhost pointer={pointer} nameOf={carrying.nameOf} />
      </div>
    </CarryProvider>
  );
}

/** Handles arrow keys, which move the focus or the picked-up device. */
function pressKey(
  event: KeyboardEvent<HTMLDivElement>,
  {
    layout,
    carrying,
    reveal,
    focus,
  }: { layout: MapLayout; carrying: Carrying; reveal(row: number): void; focus(deviceid: string): void },
): void {
  const control = event.target;
  if (!(control instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.altKey) return;
  const deviceid = control.dataset['tile'];
  if (deviceid === undefined) return;
  if (carrying.store.getState().carried !== undefined) {
    if (!carrying.handleKey(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    const target = carrying.store.getState().carried?.target;
    if (target !== undefined) reveal(rowOfTarget(layout, target));
    return;
  }
  const next = neighborOf(layout, deviceid, event.key);
  if (next === undefined) return;
  event.preventDefault();
  focus(next);
}

/** Drops the picked-up device where the person clicks. Ignores clicks that keys caused, which have no `detail`. */
function dropAtClick(event: MouseEvent<HTMLDivElement>, carrying: Carrying): void {
  const { carried } = carrying.store.getState();
  if (carried?.by !== 'keys' || event.detail === 0 || !(event.target instanceof Element)) return;
  const target = targetAt(event.target) ?? targetOf(carried.map, carried.deviceid);
  event.preventDefault();
  event.stopPropagation();
  carrying.aim(target);
  carrying.drop();
}

function useMapLayout(props: Props, map: MapEditorMap, scroll: React.RefObject<HTMLElement | null>) {
  const { deviceids, matches, level, mode } = props;
  const box = useScrollBox(scroll);
  const { width, height, textScale } = box;
  const editing = mode === 'edit';
  const metrics = useMemo(
    () => measureMap({ level, width, racks: map.racks, textScale, editing }),
    [level, width, map.racks, textScale, editing],
  );
  const [keepRows] = useState(createRowKeeper);
  const layout = useMemo(() => {
    const given = { map, deviceids, matches, editing, metrics };
    const whole = layOutMap({ ...given, folded: false });
    // A filter fades other devices without moving anything: from two meters away, people find a device faster by its
    // position than by its name. If the map is taller than the window, a filter hides shelves without matches to
    // reduce scrolling, but columns stay.
    const folds = matches !== undefined && !editing && (whole.starts.at(-1) ?? 0) > height;
    return keepRows(folds ? layOutMap({ ...given, folded: true }) : whole);
  }, [keepRows, map, deviceids, matches, editing, metrics, height]);
  return { layout, metrics, measured: box !== FIRST_BOX };
}

type MapEditorMap = ReturnType<MapEditor['getState']>['map'];

function rowOfTarget(layout: MapLayout, target: DropTarget): number {
  return layout.rows.findIndex((row) => {
    if (target === 'tray') return row.kind === 'trayHead';
    if (row.kind !== 'lines') return false;
    return row.lines.some(
      (line) => line?.shelf.id === target.shelf && line.cells.some(({ column }) => column === target.column),
    );
  });
}
