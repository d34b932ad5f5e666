import { BatteryWarning, FileSpreadsheet, Cpu } from 'lucide-react';
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
import { saveDevices } from './deviceCsv.ts';
import {
  countFilters,
  FILTERS,
  findDeviceRows,
  isLeft,
  sortDevices,
  type DeviceFilter,
  type DeviceSort,
} from './deviceRows.ts';
import { DeviceTable } from './DeviceTable.tsx';
import { useDeviceActions } from './useDeviceActions.ts';
import { useDeviceRows } from './useDeviceRows.ts';

const ICON = 16;
const NOTHING_CHOSEN: ReadonlySet<string> = new Set();
const NO_MAP = { racks: [], places: [] };
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
  const actions = useDeviceActions();

  const standing = useMemo(() => placeNames(map), [map]);
  const counts = useMemo(() => countFilters(rows), [rows]);
  const careful = useMemo(() => rows.filter(({ device }) => firstCare(device) !== undefined).length, [rows]);
  const shown = useMemo(() => {
    const left = rows.filter((row) => isLeft(row, filter));
    return sortDevices(findDeviceRows(left, typed, standing), sort);
  }, [rows, filter, typed, standing, sort]);
  const isFiltered = filter !== 'all' || typed.trim() !== '';

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

  const openBatteries = () => navigate('/devices/batteries');
  const save = () => saveDevices('devices.csv', shown);
  usePaletteActions([
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
      </PageHeader>
      {rows.length === 0 ? (
        <main className={styles.empty}>
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
    </div>
  );
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
