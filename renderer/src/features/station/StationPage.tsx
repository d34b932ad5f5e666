import { lazy, Suspense, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { useSelection } from '../../station/addresses.ts';
import type { Concern } from '../../station/conditions.ts';
import { useRight, useStationState } from '../../station/context.ts';
import { Button } from '../../kit/button/Button.tsx';
import { ReceiverStrip } from '../../shop/ReceiverStrip.tsx';
import * as texts from '../../words/texts.ts';
import { BesidePanel } from '../../shop/devicePanel/BesidePanel.tsx';
import { ChooseBar, useChosen } from './choose/ChooseBar.tsx';
import { Day } from './Day.tsx';
import { EditDialogs } from './edit/EditDialogs.tsx';
import { EditTools } from './edit/EditTools.tsx';
import { RackEditsProvider } from './edit/RackEdits.tsx';
import { useCarrying } from './edit/useCarrying.ts';
import { useMapEditor, useMapEdits } from './edit/useMapEdits.ts';
import type { Mode } from './map/actions.ts';
import { levelByKey, useLevel } from './map/levels.ts';
import { ModeButtons, useFocusAfter } from './ModeButtons.tsx';
import { CountCards, StationHeader, ZoneChoice } from './StationHeader.tsx';
import { type MapHandle, StationMap } from './StationMap.tsx';
import styles from './StationPage.module.css';
import { useMapActions } from './useMapActions.ts';
import { useShown } from './useShown.ts';
import { useStationKeys } from './useStationKeys.ts';
import { useTileActions } from './useTileActions.ts';
import { useZone } from './useZone.ts';

const EmptyStation = lazy(async () => {
  const { EmptyStation: component } = await import('./EmptyStation.tsx');
  return { default: component };
});

const FirstDayList = lazy(async () => {
  const { FirstDayList: component } = await import('./FirstDayList.tsx');
  return { default: component };
});

/** The page Today: the map with everything lit. */
export function StationPage() {
  // Other pages link here with a search in the address.
  const [search, setSearch] = useState(() => new URLSearchParams(window.location.search).get('find') ?? '');
  const [concern, setConcern] = useState<Concern>();
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
  const hasRacks = useStore(editor, ({ map }) => map.racks.length > 0);
  const deviceids = useMemo(() => places.map(({ deviceid }) => deviceid), [places]);
  const { zones, zone: chosenZone, choose: chooseZone } = useZone(editor);
  // While editing, show the whole map: racks move among all racks, and devices between zones.
  const zone = mode === 'edit' ? undefined : chosenZone;
  const { inZone, matches, shown, summary, isNone } = useShown({ editor, zone, deviceids, search, concern });
  const map = useRef<MapHandle>(null);
  const input = useRef<HTMLInputElement>(null);
  const modes = useFocusAfter(mode);
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

  function showAll(): void {
    setSearch('');
    setConcern(undefined);
    if (zone !== undefined) chooseZone(undefined);
  }

  /** Opens the only match, or the device with exactly the searched name. */
  function openFound(): void {
    const [first] = shown;
    const wanted = search.trim().toLowerCase();
    if (wanted === '' || first === undefined) return;
    const isMeant = places.find(({ deviceid }) => deviceid === first)?.name.toLowerCase() === wanted;
    if (shown.length === 1 || isMeant) select(first);
  }

  function chooseAll(): void {
    if (!mayWork || mode === 'edit') return;
    setMode('choose');
    choosePlainly(shown);
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

  return (
    <RackEditsProvider value={edits.rackEdits}>
      <BesidePanel selected={selected} close={close} stale={stale}>
        <div className={styles.main}>
          <div>
            <StationHeader
              summary={summary}
              input={input}
              search={search}
              onSearch={setSearch}
              onFind={openFound}
              level={level}
              chooseLevel={setLevel}
            />
            <ReceiverStrip />
            {mode === 'look' && <FirstDay />}
            {deviceids.length > 0 && mode === 'look' && <Day />}
          </div>
          {deviceids.length === 0 ? (
            <NoDevices hasRacks={hasRacks} />
          ) : (
            <main className={styles.content}>
              <div className={styles.strip}>
                <CountCards concern={concern} onChange={setConcern} />
                {zones.length > 0 && mode !== 'edit' && <ZoneChoice zones={zones} zone={zone} choose={chooseZone} />}
                <ModeButtons ref={modes} mode={mode} enter={enter} isSelected={selected !== undefined} />
                <EditTools
                  mode={mode}
                  enter={enter}
                  editor={editor}
                  carrying={carrying}
                  edits={edits}
                  hasZones={zones.length > 0}
                />
              </div>
              {isNone && mode !== 'edit' ? (
                <NoMatch showAll={showAll} />
              ) : (
                <StationMap
                  handle={map}
                  deviceids={inZone}
                  zone={zone}
                  searched={search}
                  matches={matches}
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

function FirstDay() {
  if (!useRight('set_up')) return null;
  return (
    <Suspense fallback={null}>
      <FirstDayList />
    </Suspense>
  );
}

function NoDevices({ hasRacks }: { hasRacks: boolean }) {
  return (
    <main className={styles.empty}>
      <Suspense fallback={null}>
        <EmptyStation hasRacks={hasRacks} />
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
