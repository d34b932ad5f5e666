import { lazy, Suspense, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { useSelection } from '../../station/addresses.ts';
import { useRight, useStationState } from '../../station/context.ts';
import type { NamedDevice } from '../../station/places.ts';
import { Button } from '../../kit/button/Button.tsx';
import { ReceiverStrip } from '../../shop/ReceiverStrip.tsx';
import * as texts from '../../words/texts.ts';
import { BesidePanel } from '../../shop/devicePanel/BesidePanel.tsx';
import { ChooseBar, useChosen } from './choose/ChooseBar.tsx';
import { Day } from './Day.tsx';
import { EditDialogs } from './edit/EditDialogs.tsx';
import { EditTools, type EditToolsProps } from './edit/EditTools.tsx';
import { RackEditsProvider } from './edit/RackEdits.tsx';
import { useCarrying } from './edit/useCarrying.ts';
import { useMapEditor, useMapEdits } from './edit/useMapEdits.ts';
import type { Mode } from './map/actions.ts';
import { levelByKey, useLevel } from './map/levels.ts';
import { ModeButtons } from './ModeButtons.tsx';
import { CountCards, StationHeader, ZoneChoice } from './StationHeader.tsx';
import { type MapHandle, StationMap } from './StationMap.tsx';
import styles from './StationPage.module.css';
import { useMapActions } from './useMapActions.ts';
import { type MapFilter, useMapFilter } from './useMapFilter.ts';
import { useStationKeys } from './useStationKeys.ts';
import { useTileActions } from './useTileActions.ts';

const EmptyStation = lazy(async () => {
  const { EmptyStation: component } = await import('./EmptyStation.tsx');
  return { default: component };
});

const FirstDayList = lazy(async () => {
  const { FirstDayList: component } = await import('./FirstDayList.tsx');
  return { default: component };
});

/** The Today page: the map with all lights. */
export function StationPage() {
  const [level, setLevel] = useLevel();
  const [mode, setMode] = useState<Mode>('look');
  const { selected, select } = useSelection('today');
  const { chosen, choose, set: choosePlainly, clear } = useChosen();
  const editor = useMapEditor();
  const carrying = useCarrying(editor);
  const edits = useMapEdits(editor);
  const stale = useStationState(({ connection }) => connection.kind === 'lost');
  const mayWork = useRight('work');
  const places = useStationState((state) => state.places);
  const deviceids = useMemo(() => places.map(({ deviceid }) => deviceid), [places]);
  const filter = useMapFilter(editor, mode, deviceids);
  const map = useRef<MapHandle>(null);
  const input = useRef<HTMLInputElement>(null);
  const hasRacks = useStore(editor, ({ map: { racks } }) => racks.length > 0);
  /** Whether to show the empty state. Without devices, the map is drawn only while its racks are edited. */
  const isEmpty = deviceids.length === 0 && (mode !== 'edit' || !hasRacks);
  const known = useMemo(() => deviceids.filter((deviceid) => chosen.has(deviceid)), [deviceids, chosen]);

  function close(): void {
    const left = selected;
    select(undefined);
    if (left !== undefined) map.current?.focus(left);
  }

  function enter(next: Mode): void {
    carrying.cancel();
    clear();
    setMode(next);
  }

  function openFound(): void {
    const found = findSought(filter, places);
    if (found !== undefined) select(found);
  }

  function chooseAll(): void {
    if (!mayWork || mode === 'edit') return;
    setMode('choose');
    choosePlainly(filter.shown);
  }

  const actions = useTileActions({ map, mode, setMode, select, choose, carrying, editor, askMove: edits.askMove });

  useStationKeys({
    level(key) {
      const next = levelByKey(key, level);
      return next === undefined ? undefined : () => setLevel(next);
    },
    find: () => input.current?.focus(),
    chooseAll,
    undo: () => mode === 'edit' && editor.undo(),
    escape() {
      if (carrying.store.getState().carried !== undefined) carrying.cancel();
      else if (mode === 'choose') enter('look');
    },
  });

  useMapActions({ setLevel, enter, askRack: edits.askRack });

  const editing = { mode, enter, editor, carrying, edits };
  return (
    <RackEditsProvider value={edits.rackEdits}>
      <BesidePanel selected={selected} close={close} stale={stale}>
        <div className={styles.main}>
          <div>
            <StationHeader
              summary={filter.summary}
              input={input}
              search={filter.search}
              onSearch={filter.setSearch}
              onFind={openFound}
              level={level}
              chooseLevel={setLevel}
            />
            <ReceiverStrip />
            {(mode === 'look' || isEmpty) && <FirstDay />}
            {deviceids.length > 0 && mode === 'look' && <Day />}
          </div>
          {isEmpty ? (
            <NoDevices hasRacks={hasRacks} editMap={() => enter('edit')} />
          ) : (
            <main className={styles.content}>
              <MapControls filter={filter} editing={editing} isSelected={selected !== undefined} />
              {filter.isNone && mode !== 'edit' ? (
                <NoMatch showAll={filter.showAll} />
              ) : (
                <StationMap
                  handle={map}
                  deviceids={filter.inZone}
                  zone={filter.zone}
                  searched={filter.search}
                  matches={filter.matches}
                  level={level}
                  mode={mode}
                  selected={selected}
                  chosen={chosen}
                  editor={editor}
                  carrying={carrying}
                  actions={actions}
                />
              )}
            </main>
          )}
          {mode === 'choose' && (
            <ChooseBar deviceids={known} all={chooseAll} clear={clear} finish={() => enter('look')} />
          )}
        </div>
        <EditDialogs edits={edits} editor={editor} carrying={carrying} />
      </BesidePanel>
    </RackEditsProvider>
  );
}

/** Returns the device that a search refers to: the only match, or the first match if its name equals the search. */
function findSought({ search, shown }: MapFilter, places: readonly NamedDevice[]): string | undefined {
  const [first] = shown;
  const wanted = search.trim().toLowerCase();
  if (wanted === '' || first === undefined) return undefined;
  const isMeant = places.find(({ deviceid }) => deviceid === first)?.name.toLowerCase() === wanted;
  return shown.length === 1 || isMeant ? first : undefined;
}

type MapControlsProps = { filter: MapFilter; editing: Omit<EditToolsProps, 'hasZones'>; isSelected: boolean };

/** The row above the map, with the filters and with the buttons and tools of the current mode. */
function MapControls({ filter, editing, isSelected }: MapControlsProps) {
  const { mode, enter } = editing;
  const { concern, setConcern, zones, zone, chooseZone } = filter;
  const hasZones = zones.length > 0;
  return (
    <div className={styles.strip}>
      <CountCards concern={concern} onChange={setConcern} />
      {hasZones && mode !== 'edit' && <ZoneChoice zones={zones} zone={zone} choose={chooseZone} />}
      <ModeButtons mode={mode} enter={enter} isSelected={isSelected} />
      <EditTools {...editing} hasZones={hasZones} />
    </div>
  );
}

function FirstDay() {
  if (!useRight('set_up')) return null;
  return (
    <Suspense fallback={null}>
      <FirstDayList />
    </Suspense>
  );
}

function NoDevices(props: { hasRacks: boolean; editMap(): void }) {
  return (
    <main className={styles.empty}>
      <Suspense fallback={null}>
        <EmptyStation {...props} />
      </Suspense>
    </main>
  );
}

function NoMatch({ showAll }: { showAll(): void }) {
  return (
    <div className={styles.none}>
      <h2>{texts.station.noMatch}</h2>
      <p>{texts.station.noMatchHint}</p>
      <Button onPress={showAll}>{texts.station.showAll}</Button>
    </div>
  );
}
