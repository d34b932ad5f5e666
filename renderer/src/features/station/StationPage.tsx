import { ListChecks, Map as MapIcon } from 'lucide-react';
import { lazy, Suspense, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { useSelection, useTask } from '../../station/addresses.ts';
import type { Concern } from '../../station/conditions.ts';
import { useRight, useStationState } from '../../station/context.ts';
import { Button } from '../../kit/button/Button.tsx';
import { usePaletteActions } from '../../shop/paletteActions.ts';
import { ReceiverStrip } from '../../shop/ReceiverStrip.tsx';
import * as texts from '../../words/texts.ts';
import { BesidePanel } from '../../shop/devicePanel/BesidePanel.tsx';
import { ChooseBar, useChosen } from './choose/ChooseBar.tsx';
import { Day } from './Day.tsx';
import { EditBar } from './edit/EditBar.tsx';
import { EditDialogs } from './edit/EditDialogs.tsx';
import { RackEditsProvider } from './edit/RackEdits.tsx';
import { useCarrying } from './edit/useCarrying.ts';
import { useMapEditor, useMapEdits } from './edit/useMapEdits.ts';
import type { Mode, TileActions } from './map/actions.ts';
import { levelByKey, LEVELS, useLevel } from './map/levels.ts';
import { CountCards, StationHeader, ZoneChoice } from './StationHeader.tsx';
import { type MapHandle, StationMap } from './StationMap.tsx';
import parts from '../../kit/parts.module.css';
import styles from './StationPage.module.css';
import { useMatches } from './useMatches.ts';
import { useStationKeys } from './useStationKeys.ts';
import { useDevicesOfZone, useZone } from './useZone.ts';

const EmptyStation = lazy(async () => {
  const { EmptyStation: component } = await import('./EmptyStation.tsx');
  return { default: component };
});

const MapHint = lazy(async () => {
  const { MapHint: component } = await import('./MapHint.tsx');
  return { default: component };
});

const FirstDayList = lazy(async () => {
  const { FirstDayList: component } = await import('./FirstDayList.tsx');
  return { default: component };
});

const TakeTour = lazy(async () => {
  const { TakeTour: component } = await import('../../shop/tour/TakeTour.tsx');
  return { default: component };
});

/** What is lit, and what needs me? */
export function StationPage() {
  // A page that leads here says by the address what to find.
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
  const isAdmin = useRight('edit_map');
  const maySetUp = useRight('set_up');
  const isTrial = useStationState(
    ({ station }) =>
      station?.turbos.some(({ transport, device_count: count }) => transport === 'simulated' && count > 0) ?? false,
  );
  const places = useStationState((state) => state.places);
  const hasRacks = useStore(editor, ({ map }) => map.racks.length > 0);
  const deviceids = useMemo(() => places.map(({ deviceid }) => deviceid), [places]);
  const { zones, zone: chosenZone, choose: chooseZone } = useZone(editor);
  // Who edits the map sees all of it: racks move among all racks, and devices from zone to zone.
  const zone = mode === 'edit' ? undefined : chosenZone;
  const inZone = useDevicesOfZone(editor, zone, deviceids);
  const allMatches = useMatches(search, concern);
  const matchList = useMemo(() => {
    if (zone === undefined || allMatches === undefined) return allMatches;
    const here = new Set(inZone);
    return allMatches.filter((deviceid) => here.has(deviceid));
  }, [zone, allMatches, inZone]);
  const matches = useMemo(() => (matchList === undefined ? undefined : new Set(matchList)), [matchList]);
  const shown = matchList ?? inZone;
  const all = deviceids.length === 0 ? '' : texts.station.devices(deviceids.length);
  const summary =
    matchList === undefined && zone === undefined ? all : texts.station.some(shown.length, deviceids.length);
  const map = useRef<MapHandle>(null);
  const input = useRef<HTMLInputElement>(null);
  const modes = useRef<HTMLDivElement>(null);
  const left = useRef(mode);
  useEffect(() => {
    const from = left.current;
    left.current = mode;
    if (mode !== 'look' || from === 'look' || document.activeElement !== document.body) return;
    modes.current?.querySelector<HTMLElement>(`[data-enters="${from}"]`)?.focus();
  }, [mode]);
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

  function chooseAll(): void {
    if (!mayWork || mode === 'edit') return;
    setMode('choose');
    choosePlainly(shown);
  }

  const newest = useRef({ mayWork, select, mode });
  useLayoutEffect(() => {
    newest.current = { mayWork, select, mode };
  });
  const actions = useMemo<TileActions>(
    () => ({
      open: (deviceid) => newest.current.select(deviceid),
      choose(deviceid, range) {
        if (!newest.current.mayWork) return newest.current.select(deviceid);
        const begins = newest.current.mode !== 'choose';
        setMode('choose');
        choose(deviceid, range ? map.current?.between : undefined);
        // The control of the tile is another one now.
        if (begins) map.current?.focus(deviceid);
      },
      carry(deviceid) {
        if (carrying.store.getState().carried === undefined) return carrying.pickUp(deviceid, 'keys');
        carrying.drop();
        map.current?.focus(deviceid);
      },
      moveTo: edits.askMove,
      dismissFailure: editor.dismiss,
    }),
    [choose, carrying, editor, edits.askMove],
  );

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

  useTask({
    rack() {
      if (!isAdmin) return;
      enter('edit');
      edits.askRack();
    },
  });
  usePaletteActions([
    ...LEVELS.map((each) => ({
      id: `level ${each}`,
      words: texts.map.see(texts.map.levels[each]),
      run: () => setLevel(each),
    })),
    ...(isAdmin ? [{ id: 'edit map', words: texts.map.edit, run: () => enter('edit') }] : []),
    ...(mayWork ? [{ id: 'select', words: texts.choose.palette, run: () => enter('choose') }] : []),
  ]);

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
              onFind={() => {
                const [first] = shown;
                const wanted = search.trim().toLowerCase();
                if (wanted === '' || first === undefined) return;
                const isMeant = places.find(({ deviceid }) => deviceid === first)?.name.toLowerCase() === wanted;
                if (shown.length === 1 || isMeant) select(first);
              }}
              level={level}
              chooseLevel={setLevel}
            />
            <ReceiverStrip />
            {maySetUp && mode === 'look' && (
              <Suspense fallback={null}>
                <FirstDayList />
              </Suspense>
            )}
            {deviceids.length > 0 && mode === 'look' && <Day />}
          </div>
          {deviceids.length === 0 ? (
            <main className={styles.empty}>
              <Suspense fallback={null}>
                <EmptyStation hasRacks={hasRacks} />
              </Suspense>
            </main>
          ) : (
            <main className={styles.content}>
              <div className={styles.strip}>
                <CountCards concern={concern} onChange={setConcern} />
                {zones.length > 0 && mode !== 'edit' && <ZoneChoice zones={zones} zone={zone} choose={chooseZone} />}
                <div ref={modes} className={`${parts.rowMiddle} ${styles.modes}`}>
                  {isTrial && mode === 'look' && selected === undefined && (
                    <Suspense fallback={null}>
                      <TakeTour />
                    </Suspense>
                  )}
                  {mayWork && mode === 'look' && (
                    <Button icon={ListChecks} data-enters="choose" onPress={() => enter('choose')}>
                      {texts.choose.begin}
                    </Button>
                  )}
                  {mode === 'look' && (
                    <Button icon={MapIcon} data-enters="edit" needs="edit_map" onPress={() => enter('edit')}>
                      {texts.map.edit}
                    </Button>
                  )}
                </div>
                {mode === 'edit' && (
                  <EditBar
                    editor={editor}
                    carrying={carrying}
                    arrangeable={edits.arrangeable}
                    arrange={edits.arrange}
                    addRack={edits.askRack}
                    editZones={hasRacks || zones.length > 0 ? edits.askZones : undefined}
                    finish={() => enter('look')}
                  />
                )}
                {mode === 'look' && isAdmin && !hasRacks && (
                  <Suspense fallback={null}>
                    <MapHint
                      makeRack={() => {
                        enter('edit');
                        edits.askRack();
                      }}
                      arrangeable={edits.arrangeable}
                      arrange={edits.arrange}
                    />
                  </Suspense>
                )}
              </div>
              {shown.length === 0 && mode !== 'edit' && (matchList !== undefined || zone?.racks.length === 0) ? (
                <div className={styles.none}>
                  <h2>{texts.station.noMatch}</h2>
                  <p>{texts.station.noMatchHint}</p>
                  <Button onPress={showAll}>{texts.station.showAll}</Button>
                </div>
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
