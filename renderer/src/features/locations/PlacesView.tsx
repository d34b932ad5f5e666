import { Download, FileSpreadsheet, MapPin, Plus, Printer, Undo2, Upload } from 'lucide-react';
import { useCallback, useMemo, useState, lazy, Suspense } from 'react';
import { useLocation } from 'wouter';
import { useRight, useStationState } from '../../station/context.ts';
import { Button } from '../../kit/button/Button.tsx';
import { DataTable, withChosen } from '../../kit/list/DataTable.tsx';
import { followLink } from '../../kit/download.ts';
import { EmptyState } from '../../kit/feedback/EmptyState.tsx';
import { Menu, menuOf } from '../../kit/menu/Menu.tsx';
import { usePaletteActions } from '../../shop/paletteActions.ts';
import { TablePage } from '../../shop/TablePage.tsx';
import * as texts from '../../words/texts.ts';
import { useSearch } from '../../kit/field/SearchBox.tsx';
import { ReplaceDialog } from '../../shop/replace/ReplaceDialog.tsx';
import { LastImportBar, useLastImport } from './LastImportBar.tsx';
import { LocationLine, useRowActions } from './LocationLine.tsx';
import * as table from '../../shop/place/locationRows.ts';
import styles from './LocationTable.module.css';

const AliasDialog = lazy(async () => {
  const { AliasDialog: component } = await import('./AliasDialog.tsx');
  return { default: component };
});

const LabelDialog = lazy(async () => {
  const { LabelDialog: component } = await import('./AliasDialog.tsx');
  return { default: component };
});

export const NOTHING_CHOSEN: ReadonlySet<string> = new Set();

type Props = {
  chosen: ReadonlySet<string>;
  setChosen(chosen: ReadonlySet<string>): void;
  print(keys: readonly string[] | undefined): void;
};

const words = texts.locations;
const NO_ALIASES: readonly never[] = [];
const KIND_FILTERS = ['all', 'label', 'alias', 'none'] as const;

/** The table of places. */
export function PlacesView({ chosen, setChosen, print }: Props) {
  const places = useStationState((state) => state.places);
  const aliases = useStationState(({ station }) => station?.aliases ?? NO_ALIASES);
  const mayEdit = useRight('edit_labels');
  const mayImport = useRight('import_locations');
  const search = useSearch();
  const [kind, setKind] = useState<table.Kind | 'all'>('all');
  const [sort, setSort] = useState<table.Sort>({ by: 'place', descending: false });
  const [, navigate] = useLocation();
  const openImport = () => navigate('/places/import');
  const printKeys = useCallback((keys: readonly string[]) => print(keys), [print]);
  const { actions, asking, ask, close } = useRowActions(printKeys);
  const { last, isHidden, hide, undo } = useLastImport();

  const all = useMemo(() => table.listLocations(places, aliases), [places, aliases]);
  const sorted = useMemo(() => table.sortLocations(all, sort), [all, sort]);
  const shown = useMemo(() => {
    const ofKind = kind === 'all' ? sorted : sorted.filter((row) => row.kind === kind);
    return table.findLocations(ofKind, search.typed);
  }, [sorted, kind, search.typed]);
  const counts = useMemo(() => countKinds(all), [all]);
  const chosenHere = useMemo(() => all.filter(({ key }) => chosen.has(key)).map(({ key }) => key), [all, chosen]);
  const named = counts.alias + counts.label;

  const choose = useCallback(
    (keys: readonly string[], isChosen: boolean) => setChosen(withChosen(chosen, keys, isChosen)),
    [chosen, setChosen],
  );

  function startPrint(): void {
    const visible = shown.filter((row) => row.kind !== 'none').map(({ key }) => key);
    print(chosenHere.length > 0 ? chosenHere : visible.length === named ? undefined : visible);
  }

  const add = () => ask({ kind: 'alias', alias: undefined });
  usePaletteActions([
    ...(mayEdit ? [{ id: 'locations.add', words: words.add, run: add }] : []),
    ...(mayImport ? [{ id: 'locations.import', words: words.importing.title, run: openImport }] : []),
    ...EXPORTS.map(({ id, words, run }) => ({ id: `locations.export.${id}`, words, run })),
    { id: 'locations.print', words: words.print, run: startPrint },
  ]);

  const undoLast = last !== null && mayImport ? () => undo(last) : undefined;
  const importBar = last !== null && !isHidden && <LastImportBar imported={last} undo={undoLast} hide={hide} />;

  const nothing =
    places.length === 0 ? (
      <EmptyState
        picture={<MapPin size={40} />}
        title={words.noDevices.title}
        body={words.noDevices.body}
        action={<Button words={words.noDevices.go} look="primary" onPress={() => navigate('/today')} />}
      />
    ) : named === 0 && kind === 'all' && mayEdit ? (
      <>
        {importBar}
        <EmptyState
          picture={<MapPin size={40} />}
          title={words.empty.title}
          term="alias"
          body={words.empty.body}
          action={
            <>
              <Button words={words.empty.labels} look="primary" onPress={() => setKind('none')} />
              <Button onPress={add}>{words.add}</Button>
              <Button needs="import_locations" onPress={openImport}>
                {words.empty.importFile}
              </Button>
            </>
          }
        />
      </>
    ) : undefined;

  return (
    <TablePage
      words={words}
      note={
        kind === 'all' && search.isEmpty
          ? words.summary(counts.alias, counts.label)
          : words.some(shown.length, all.length)
      }
      search={search}
      buttons={<Button icon={Plus} words={words.add} look="primary" needs="edit_labels" onPress={add} />}
      instead={nothing}
      above={importBar}
      filter={{ filters: KIND_FILTERS, counts, value: kind, onChange: setKind }}
      tools={
        <>
          {chosenHere.length > 0 && (
            <Button words={words.clearChoice} look="quiet" onPress={() => setChosen(NOTHING_CHOSEN)} />
          )}
          <Button icon={Printer} onPress={startPrint} isDisabled={named === 0}>
            {chosenHere.length > 0 ? words.printSome(chosenHere.length) : words.print}
          </Button>
          <Menu
            label={words.filesMenu}
            placement="bottom end"
            trigger={<Button icon={FileSpreadsheet} words={words.files} aria-label={words.filesMenu} />}
            groups={menuOf(
              [
                { id: 'import', words: words.importFile, icon: Upload, needs: 'import_locations', run: openImport },
                ...EXPORTS.map((each) => ({ ...each, icon: Download })),
              ],
              [
                undoLast !== undefined && {
                  id: 'undo',
                  words: words.importing.undoLast,
                  icon: Undo2,
                  run: () => void undoLast(),
                },
              ],
            )}
          />
        </>
      }
      table={
        shown.length > 0 && (
          <DataTable
            label={words.table}
            rows={shown}
            rowHeight={ROW_HEIGHT}
            columns={styles.columns ?? ''}
            headings={HEADINGS}
            sort={sort}
            onSort={setSort}
            chosen={chosen}
            choose={choose}
            checkOf={checkOf}
            chooseAllWords={words.selectAll}
            line={LocationLine}
            actions={actions}
          />
        )
      }
    >
      <Suspense>
        {asking?.kind === 'alias' && <AliasDialog {...asking} close={close} />}
        {asking?.kind === 'label' && <LabelDialog deviceid={asking.deviceid} close={close} />}
      </Suspense>
      {asking?.kind === 'replace' && <ReplaceDialog old={asking.deviceid} close={close} />}
    </TablePage>
  );
}

function countKinds(rows: readonly { kind: table.Kind }[]): Record<table.Kind | 'all', number> {
  const counts = { all: rows.length, alias: 0, label: 0, none: 0 };
  for (const { kind } of rows) counts[kind] += 1;
  return counts;
}

const ROW_HEIGHT = 60;
const HEADINGS = (['place', 'device', 'deviceIs', 'kind'] as const satisfies readonly table.Sort['by'][]).map((by) => ({
  by,
  words: words.columns[by],
  className: styles[by] ?? '',
}));

/** What has no name has no label to print. */
function checkOf({ kind, name }: table.LocationTableRow): string | undefined {
  return kind === 'none' ? undefined : words.select(name);
}

/** Saves every alias as a file, by the very address that scripts use. */
const EXPORTS = (['xlsx', 'csv'] as const).map((format) => ({
  id: format,
  words: words.exports[format],
  run: () => followLink(`/api/location-aliases/export/?format=${format}`, `location-aliases.${format}`),
}));
