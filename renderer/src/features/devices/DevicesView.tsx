import { BatteryWarning, Cpu, FileSpreadsheet, Repeat2 } from 'lucide-react';
import { useCallback, useDeferredValue, useMemo, useRef, useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { firstCare } from '#shared/lib/deviceCare.ts';
import { useStationState } from '../../station/context.ts';
import { Button } from '../../ui/Button.tsx';
import { Count } from '../../ui/Count.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { usePaletteActions } from '../../ui/paletteActions.ts';
import { SearchBox } from '../../ui/SearchBox.tsx';
import { Segments } from '../../ui/Segments.tsx';
import styles from '../../ui/TablePage.module.css';
import { texts } from '../../ui/texts.ts';
import { useFindKey } from '../../ui/useFindKey.ts';
import { placeNames } from '../station/placeNames.ts';
import { ReplaceDialog } from '../replace/ReplaceDialog.tsx';
import { BulkBar } from './BulkBar.tsx';
import { BulkDialog, BulkResult, type BulkQuestion } from './BulkDialogs.tsx';
import { saveDevices } from './deviceCsv.ts';
import {
  countFilters,
  FILTERS,
  findDeviceRows,
  isLeft,
  sortDevices,
  type DeviceFilter,
  type DeviceRow,
  type DeviceSort,
} from './deviceRows.ts';
import { DeviceTable } from './DeviceTable.tsx';
import { useBulk } from './useBulk.ts';
import { useDeviceActions } from './useDeviceActions.ts';
import { useDeviceRows } from './useDeviceRows.ts';
import { WaitingPanel } from './WaitingPanel.tsx';

const ICON = 16;
const NOTHING_CHOSEN: ReadonlySet<string> = new Set();
const NO_MAP = { racks: [], places: [], zones: [] };
const words = texts.devices;

/** The table of devices. */
export function DevicesView() {
  const rows = useDeviceRows();
  const map = useStationState(({ station }) => station?.map ?? NO_MAP);
  const stale = useStationState(({ connection }) => connection.kind === 'lost');
  const mayControl = useStationState(({ station }) => station?.user.scope !== 'read');
  const [, navigate] = useLocation();
  const { filter, setFilter } = useFilter();
  const [search, setSearch] = useState('');
  const [sort, setSort] = useState<DeviceSort>({ by: 'care', descending: false });
  const [chosen, setChosen] = useState(NOTHING_CHOSEN);
  const typed = useDeferredValue(search);
  const input = useRef<HTMLInputElement>(null);
  useFindKey(input);
  const choose = useCallback((keys: readonly string[], isChosen: boolean) => {
    setChosen((before) => {
      const next = new Set(before);
      for (const key of keys) {
        if (isChosen) next.add(key);
        else next.delete(key);
      }
      return next;
    });
  }, []);

  const [asked, setAsked] = useState<BulkQuestion>();
  const [replacing, setReplacing] = useState<{ old?: string }>();
  const bulk = useBulk((deviceids) => choose(deviceids, false));
  const replace = useCallback((old: string) => setReplacing({ old }), []);
  const remove = useCallback((deviceid: string) => setAsked({ kind: 'remove', deviceids: [deviceid] }), []);
  const actions = useDeviceActions({ replace, remove });
  const isAdmin = useStationState(({ station }) => station?.user.scope === 'admin');

  const standing = useMemo(() => placeNames(map), [map]);
  const counts = useMemo(() => countFilters(rows), [rows]);
  const careful = useMemo(
    () => rows.filter(({ device, limits }) => firstCare(device, limits) !== undefined).length,
    [rows],
  );
  const shown = useMemo(() => {
    const left = rows.filter((row) => isLeft(row, filter));
    return sortDevices(findDeviceRows(left, typed, standing), sort);
  }, [rows, filter, typed, standing, sort]);
  const chosenRows = useMemo(() => rows.filter(({ key }) => chosen.has(key)), [rows, chosen]);
  const chosenIds = useMemo(() => chosenRows.map(({ key }) => key), [chosenRows]);
  const hidden = useMemo(
    () => chosenIds.length - shown.reduce((count, { key }) => count + Number(chosen.has(key)), 0),
    [chosenIds, shown, chosen],
  );
  const isFiltered = filter !== 'all' || typed.trim() !== '';

  const openBatteries = () => navigate('/devices/batteries');
  const save = () => saveDevices('devices.csv', shown);
  usePaletteActions([
    ...(isAdmin ? [{ id: 'devices.replace', words: words.replace, run: () => setReplacing({}) }] : []),
    { id: 'devices.batteries', words: words.shopping.open, run: openBatteries },
    { id: 'devices.csv', words: words.csv, run: save },
  ]);

  function showAll(): void {
    setSearch('');
    setFilter('all');
  }

  return (
    <div className={styles.page} data-stale={stale || undefined}>
      <PageHeader
        title={words.title}
        note={
          <span role="status">
            {isFiltered ? words.some(shown.length, rows.length) : words.summary(rows.length, careful)}
          </span>
        }
      >
        <SearchBox
          label={words.search}
          clearLabel={words.clearSearch}
          input={input}
          value={search}
          onChange={setSearch}
        />
        {isAdmin && rows.length > 0 && (
          <Button look="primary" onPress={() => setReplacing({})}>
            <Repeat2 size={ICON} aria-hidden="true" />
            {words.replace}
          </Button>
        )}
      </PageHeader>
      {rows.length === 0 ? (
        <main className={styles.empty}>
          <WaitingPanel />
          <EmptyState
            picture={<Cpu size={40} />}
            title={words.empty.title}
            body={words.empty.body}
            action={
              <Button look="primary" onPress={() => navigate('/')}>
                {words.empty.go}
              </Button>
            }
          />
        </main>
      ) : (
        <main className={styles.content}>
          <WaitingPanel />
          <div className={styles.strip}>
            <Segments
              label={words.filters.title}
              value={filter}
              onChange={setFilter}
              choices={FILTERS.map((id) => ({ id, words: <Count words={words.filters[id]} count={counts[id]} /> }))}
            />
            <div className={styles.tools}>
              <Button onPress={openBatteries}>
                <BatteryWarning size={ICON} aria-hidden="true" />
                {words.shopping.open}
              </Button>
              <Button aria-label={words.csv} isDisabled={shown.length === 0} onPress={save}>
                <FileSpreadsheet size={ICON} aria-hidden="true" />
                {texts.locations.csv}
              </Button>
            </div>
          </div>
          {shown.length === 0 ? (
            <div className={styles.none}>
              <h2>{typed.trim() === '' ? words.noneOf[filter] : words.noMatch}</h2>
              <p>{typed.trim() === '' ? words.noneOfHint : words.noMatchHint}</p>
              <Button onPress={showAll}>{words.showAll}</Button>
            </div>
          ) : (
            <DeviceTable
              rows={shown}
              sort={sort}
              onSort={setSort}
              chosen={chosen}
              choose={choose}
              mayChoose={mayControl}
              actions={actions}
            />
          )}
        </main>
      )}
      {(chosenIds.length > 0 || bulk.running !== undefined) && (
        <BulkBar
          chosen={chosenIds}
          hidden={hidden}
          bulk={bulk}
          ask={(kind) => setAsked({ kind, deviceids: chosenIds })}
          clear={() => setChosen(NOTHING_CHOSEN)}
        />
      )}
      {asked !== undefined && (
        <BulkDialog
          question={asked}
          open={countOpen(rows, asked.deviceids)}
          bulk={bulk}
          close={() => setAsked(undefined)}
        />
      )}
      {bulk.outcome !== undefined && (
        <BulkResult
          outcome={bulk.outcome}
          nameOf={(deviceid) => rows.find(({ key }) => key === deviceid)?.name ?? deviceid}
          close={bulk.forget}
        />
      )}
      {replacing !== undefined && <ReplaceDialog {...replacing} close={() => setReplacing(undefined)} />}
    </div>
  );
}

function countOpen(rows: readonly DeviceRow[], deviceids: readonly string[]): number {
  const wanted = new Set(deviceids);
  return rows.reduce((count, { key, device }) => count + (wanted.has(key) ? device.commands.length : 0), 0);
}

/** The filter stands in the address: a link, a reload and the way back from a device keep it. */
function useFilter(): { filter: DeviceFilter; setFilter(filter: DeviceFilter): void } {
  const [params, setParams] = useSearchParams();
  const filter = FILTERS.find((each) => each === params.get('show')) ?? 'all';
  return {
    filter,
    setFilter: (next) => setParams(next === 'all' ? {} : { show: next }, { replace: true }),
  };
}
