import {
  BatteryWarning,
  Columns3,
  Cpu,
  Download,
  Eraser,
  FileSpreadsheet,
  Plus,
  PowerOff,
  Printer,
  Repeat2,
  SlidersHorizontal,
  SunMedium,
  Trash2,
  Undo2,
  Upload,
} from 'lucide-react';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { firstCare } from '#shared/lib/devices/deviceCare.ts';
import { importAddress } from '../../station/addresses.ts';
import { useRight, useStationState } from '../../station/context.ts';
import { placeNames } from '../../station/placeNames.ts';
import { BulkBar, BulkResult } from '../../kit/list/BulkBar.tsx';
import { Button } from '../../kit/button/Button.tsx';
import { sortRows } from '../../kit/list/columns.ts';
import { DataTable, useChosenRows } from '../../kit/list/DataTable.tsx';
import { useChoiceParam, useListState } from '../../kit/list/useListParams.ts';
import { EmptyState } from '../../kit/feedback/EmptyState.tsx';
import { followLink } from '../../kit/download.ts';
import { Menu, type MenuRow, menuOf } from '../../kit/menu/Menu.tsx';
import { usePaletteActions } from '../../shop/paletteActions.ts';
import { TablePage } from '../../shop/TablePage.tsx';
import * as texts from '../../words/texts.ts';
import { BulkDialog, type BulkQuestion, useBulk } from './BulkDialogs.tsx';
import { LastImportBar, useLastImport } from './LastImportBar.tsx';
import { OffMapBar } from './OffMapBar.tsx';
import { PlaceDialogs } from './PlaceDialogs.tsx';
import { COLUMN_SETS, COLUMNS, type ColumnSet, savePlaces, SHOWN } from './placeColumns.ts';
import * as placeRows from './placeRows.ts';
import type { AnyPlaceRow } from './placeRows.ts';
import { labelKeys, placeMenu, usePlaceActions } from './usePlaceActions.ts';
import { usePlaceRows } from './usePlaceRows.ts';
import { WaitingPanel } from './WaitingPanel.tsx';

const NO_MAP = { racks: [], places: [], zones: [] };
const ROW_HEIGHT = 64;
const words = texts.places;

const byRank = (a: AnyPlaceRow, b: AnyPlaceRow) => a.rank - b.rank;
const checkOf = (row: AnyPlaceRow) => (placeRows.hasDevice(row) ? words.select(row.name) : undefined);

/** `print` opens the labels with these keys, or all labels if `keys` is undefined. */
type Props = { print(keys: readonly string[] | undefined): void };

/** The table of places, each with its device, battery, and other places that the device serves. */
export function PlacesView({ print }: Props) {
  const rows = usePlaceRows();
  const [, navigate] = useLocation();
  const [columnSet, setColumnSet] = useChoiceParam('columns', COLUMN_SETS);
  const list = useListState(placeRows.FILTERS, COLUMNS, { by: 'place', descending: false });
  const { filter, search, sort } = list;
  const shown = useShownRows(rows, list);
  const counts = useMemo(() => placeRows.countFilters(rows), [rows]);
  const waiting = counts.waiting;
  const devices = rows.length - waiting;
  const careful = useMemo(
    () => rows.filter((row) => placeRows.hasDevice(row) && firstCare(row.device, row.limits) !== undefined).length,
    [rows],
  );
  const { chosen, keys, hidden, choose, clear } = useChosenRows(rows, shown);
  const bulk = useBulk((deviceids) => choose(deviceids, false));
  const [asked, setAsked] = useState<BulkQuestion>();
  const remove = useCallback((deviceid: string) => setAsked({ kind: 'remove', deviceids: [deviceid] }), []);
  const { actions, asking, ask, close } = usePlaceActions({ remove, print });
  const isAll = filter === 'all' && search.isEmpty;
  const isNamed = rows.some((row) => placeRows.hasDevice(row) && placeRows.hasName(row));

  const add = () => ask({ kind: 'alias', alias: undefined });
  const replace = () => ask({ kind: 'replace' });
  const printShown = () => print(isAll ? undefined : labelKeys(shown));
  const save = () => savePlaces('places.csv', shown);
  const { importBar, files, openImport } = useFiles(save);
  usePlacePalette({ add, replace, print: printShown, save });

  return (
    <TablePage
      words={words}
      note={isAll ? words.summary(devices, careful, waiting) : words.some(shown.length, devices, waiting)}
      search={search}
      buttons={
        <>
          {devices > 0 && <Button icon={Repeat2} words={words.replace} needs="manage_devices" onPress={replace} />}
          {devices > 0 && <Button icon={Plus} words={words.add} needs="edit_labels" onPress={add} />}
        </>
      }
      instead={rows.length === 0 ? <NoDevices importBar={importBar} openImport={openImport} /> : undefined}
      above={
        <>
          {importBar}
          <OffMapBar />
          <WaitingPanel />
        </>
      }
      filter={{ filters: placeRows.FILTERS, counts, value: filter, onChange: list.setFilter }}
      tools={
        <>
          <Button icon={BatteryWarning} words={words.shopping.open} onPress={() => navigate('/places/batteries')} />
          <Button icon={Printer} words={words.print} onPress={printShown} isDisabled={!isNamed} />
          {files}
          <ColumnsMenu value={columnSet} choose={setColumnSet} />
        </>
      }
      table={
        shown.length > 0 && (
          <DataTable
            label={words.table}
            rows={shown}
            rowHeight={ROW_HEIGHT}
            columns={SHOWN[columnSet]}
            sort={sort}
            onSort={list.setSort}
            choice={{ chosen, choose, checkOf, chooseAllWords: words.selectAll }}
            menuOf={placeMenu}
            actions={actions}
          />
        )
      }
    >
      <BulkBar said={words.bulk} many={keys.length} hidden={hidden} bulk={bulk} clear={clear}>
        <Button
          icon={Printer}
          words={words.print}
          onPress={() => print(labelKeys(rows.filter(({ key }) => chosen.has(key))))}
        />
        <Button
          icon={SunMedium}
          words={words.bulk.identify}
          needs="work"
          onPress={() => void bulk.run('identify', keys)}
        />
        {ASKED.map(({ kind, icon, needs }) => (
          <Button
            key={kind}
            icon={icon}
            words={words.bulk[kind]}
            needs={needs}
            onPress={() => setAsked({ kind, deviceids: keys })}
          />
        ))}
      </BulkBar>
      {asked !== undefined && (
        <BulkDialog
          question={asked}
          open={countOpen(rows, asked.deviceids)}
          bulk={bulk}
          close={() => setAsked(undefined)}
        />
      )}
      <BulkResult
        bulk={bulk}
        keyField="deviceid"
        nameOf={(deviceid) => rows.find(({ key }) => key === deviceid)?.name ?? deviceid}
      />
      <PlaceDialogs asking={asking} actions={actions} close={close} />
    </TablePage>
  );
}

type Shown = ReturnType<typeof useListState<placeRows.PlaceFilter, (typeof COLUMNS)[number]['id']>>;

/** Returns the rows that match the filter and the search, sorted. */
function useShownRows(
  rows: readonly AnyPlaceRow[],
  { filter, search: { typed }, sort }: Shown,
): readonly AnyPlaceRow[] {
  const map = useStationState(({ station }) => station?.map ?? NO_MAP);
  const standing = useMemo(() => placeNames(map), [map]);
  const { by, descending } = sort;
  return useMemo(() => {
    const left = rows.filter((row) => placeRows.isLeft(row, filter));
    return sortRows(placeRows.findPlaceRows(left, typed, standing), COLUMNS, { by, descending }, byRank);
  }, [rows, filter, typed, standing, by, descending]);
}

function NoDevices({ importBar, openImport }: { importBar: ReactNode; openImport(): void }) {
  const [, navigate] = useLocation();
  return (
    <>
      {importBar}
      <WaitingPanel />
      <EmptyState
        picture={<Cpu size={40} />}
        title={words.empty.title}
        body={words.empty.body}
        term="alias"
        action={
          <>
            <Button words={words.empty.go} look="primary" onPress={() => navigate('/today')} />
            <Button icon={Upload} words={words.importFile} needs="import_locations" onPress={openImport} />
          </>
        }
      />
    </>
  );
}

function countOpen(rows: readonly AnyPlaceRow[], deviceids: readonly string[]): number {
  const wanted = new Set(deviceids);
  return rows.reduce(
    (count, row) => count + (wanted.has(row.key) && placeRows.hasDevice(row) ? row.device.commands.length : 0),
    0,
  );
}

/** Bulk actions that ask for confirmation or for values first. */
const ASKED = [
  { kind: 'settings', icon: SlidersHorizontal, needs: 'edit_labels' },
  { kind: 'kill', icon: PowerOff, needs: 'send' },
  { kind: 'statics', icon: Eraser, needs: 'edit_labels' },
  { kind: 'remove', icon: Trash2, needs: 'manage_devices' },
] as const;

function ColumnsMenu({ value, choose }: { value: ColumnSet; choose(set: ColumnSet): void }) {
  const rows = COLUMN_SETS.map((id): MenuRow => ({ id, words: words.columnSets[id], run: () => choose(id) }));
  return (
    <Menu
      label={words.columnsMenu}
      placement="bottom end"
      trigger={<Button icon={Columns3} words={words.columnsShort} aria-label={words.columnsMenu} />}
      groups={[{ chosen: value, rows }]}
    />
  );
}

/** Exports of all aliases. Scripts can use the same addresses. */
const EXPORTS = (['xlsx', 'csv'] as const).map((format) => ({
  id: format,
  words: words.exports[format],
  run: () => followLink(`/api/location-aliases/export/?format=${format}`, `location-aliases.${format}`),
}));

/**
 * Returns the menu with import, exports and undo, and the bar about the last import. `save` saves the rows that are
 * listed.
 */
function useFiles(save: () => void) {
  const [, navigate] = useLocation();
  const mayImport = useRight('import_locations');
  const { last, isHidden, hide, undo, dialogs } = useLastImport();
  const openImport = () => navigate(importAddress('places'));
  const undoLast = last !== null && mayImport ? () => undo(last.id) : undefined;
  const said = texts.locations.importing;
  usePaletteActions([
    ...(mayImport ? [{ id: 'places.import', words: said.title, run: openImport }] : []),
    ...EXPORTS.map((each) => ({ ...each, id: `places.export.${each.id}` })),
  ]);
  return {
    openImport,
    importBar: (
      <>
        {last !== null && !isHidden && <LastImportBar imported={last} undo={undoLast} hide={hide} />}
        {dialogs}
      </>
    ),
    files: (
      <Menu
        label={words.filesMenu}
        placement="bottom end"
        trigger={<Button icon={FileSpreadsheet} words={words.files} aria-label={words.filesMenu} />}
        groups={menuOf(
          [
            { id: 'import', words: words.importFile, icon: Upload, needs: 'import_locations', run: openImport },
            { id: 'shown', words: words.csv, icon: Download, run: save },
            ...EXPORTS.map((each) => ({ ...each, icon: Download })),
          ],
          [undoLast !== undefined && { id: 'undo', words: said.undoLast, icon: Undo2, run: () => void undoLast() }],
        )}
      />
    ),
  };
}

type PaletteRuns = Readonly<Record<'add' | 'replace' | 'print' | 'save', () => void>>;

/** Adds the actions of this page to the command palette. */
function usePlacePalette({ add, replace, print, save }: PaletteRuns): void {
  const [, navigate] = useLocation();
  const mayEdit = useRight('edit_labels');
  const mayManage = useRight('manage_devices');
  usePaletteActions([
    ...(mayEdit ? [{ id: 'places.add', words: words.add, run: add }] : []),
    ...(mayManage ? [{ id: 'places.replace', words: words.replace, run: replace }] : []),
    { id: 'places.batteries', words: words.shopping.open, run: () => navigate('/places/batteries') },
    { id: 'places.print', words: words.print, run: print },
    { id: 'places.csv', words: words.csv, run: save },
  ]);
}
