import {
  BatteryWarning,
  Cpu,
  Eraser,
  FileSpreadsheet,
  MapPinPlus,
  PowerOff,
  Repeat2,
  SlidersHorizontal,
  SunMedium,
  Trash2,
} from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { firstCare } from '#shared/lib/deviceCare.ts';
import { deviceAddress } from '../../station/addresses.ts';
import { useRight, useStationState } from '../../station/context.ts';
import { placeNames } from '../../station/placeNames.ts';
import { BulkBar, BulkResult } from '../../kit/list/BulkBar.tsx';
import { Button } from '../../kit/button/Button.tsx';
import { DataTable, useChosenRows } from '../../kit/list/DataTable.tsx';
import { EmptyState } from '../../kit/feedback/EmptyState.tsx';
import { usePaletteActions } from '../../shop/paletteActions.ts';
import { TablePage } from '../../shop/TablePage.tsx';
import * as texts from '../../words/texts.ts';
import { useListParams } from '../../kit/list/useListParams.ts';
import { useSearch } from '../../kit/field/SearchBox.tsx';
import { wantPanelFocus } from '../../station/panelFocus.ts';
import { useServices } from '../../shop/toasts.ts';
import { ReplaceDialog } from '../../shop/replace/ReplaceDialog.tsx';
import { BulkDialog, type BulkQuestion, useBulk } from './BulkDialogs.tsx';
import { saveDevices } from './deviceCsv.ts';
import { type DeviceActions, DeviceLine } from './DeviceLine.tsx';
import * as deviceRows from './deviceRows.ts';
import type { DeviceTableRow } from './deviceRows.ts';
import styles from './DeviceTable.module.css';
import { useDeviceRows } from './useDeviceRows.ts';
import { WaitingPanel } from './WaitingPanel.tsx';

const NO_MAP = { racks: [], places: [], zones: [] };
const words = texts.devices;

/** The table of devices. */
export function DevicesView() {
  const rows = useDeviceRows();
  const map = useStationState(({ station }) => station?.map ?? NO_MAP);
  const mayControl = useRight('work');
  const [, navigate] = useLocation();
  const { filter, setFilter } = useListParams(deviceRows.FILTERS, 'all');
  const search = useSearch();
  const [sort, setSort] = useState<deviceRows.DeviceSort>({ by: 'care', descending: false });
  const [asked, setAsked] = useState<BulkQuestion>();
  const [replacing, setReplacing] = useState<{ old?: string }>();
  const replace = useCallback((old: string) => setReplacing({ old }), []);
  const remove = useCallback((deviceid: string) => setAsked({ kind: 'remove', deviceids: [deviceid] }), []);
  const actions = useDeviceActions({ replace, remove });
  const isAdmin = useRight('manage_devices');

  const standing = useMemo(() => placeNames(map), [map]);
  const counts = useMemo(() => deviceRows.countFilters(rows), [rows]);
  const careful = useMemo(
    () => rows.filter(({ device, limits }) => firstCare(device, limits) !== undefined).length,
    [rows],
  );
  const shown = useMemo(() => {
    const left = rows.filter((row) => deviceRows.isLeft(row, filter));
    return deviceRows.sortDevices(deviceRows.findDeviceRows(left, search.typed, standing), sort);
  }, [rows, filter, search.typed, standing, sort]);
  const { chosen, keys, hidden, choose, clear } = useChosenRows(rows, shown);
  const bulk = useBulk((deviceids) => choose(deviceids, false));

  const openBatteries = () => navigate('/places/batteries');
  const save = () => saveDevices('devices.csv', shown);
  usePaletteActions([
    ...(isAdmin ? [{ id: 'devices.replace', words: words.replace, run: () => setReplacing({}) }] : []),
    { id: 'devices.batteries', words: words.shopping.open, run: openBatteries },
    { id: 'devices.csv', words: words.csv, run: save },
  ]);

  return (
    <TablePage
      words={words}
      note={
        filter === 'all' && search.isEmpty ? words.summary(rows.length, careful) : words.some(shown.length, rows.length)
      }
      search={search}
      buttons={
        rows.length > 0 && (
          <>
            <Button icon={MapPinPlus} needs="edit_labels" onPress={() => navigate('/places/set-up')}>
              {words.setUp}
            </Button>
            <Button icon={Repeat2} look="primary" needs="manage_devices" onPress={() => setReplacing({})}>
              {words.replace}
            </Button>
          </>
        )
      }
      instead={
        rows.length === 0 ? (
          <>
            <WaitingPanel />
            <EmptyState
              picture={<Cpu size={40} />}
              title={words.empty.title}
              body={words.empty.body}
              action={<Button words={words.empty.go} look="primary" onPress={() => navigate('/today')} />}
            />
          </>
        ) : undefined
      }
      above={<WaitingPanel />}
      filter={{ filters: deviceRows.FILTERS, counts, value: filter, onChange: setFilter }}
      tools={
        <>
          <Button icon={BatteryWarning} words={words.shopping.open} onPress={openBatteries} />
          <Button icon={FileSpreadsheet} aria-label={words.csv} isDisabled={shown.length === 0} onPress={save}>
            {texts.frame.csv}
          </Button>
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
            checkOf={mayControl ? checkOf : nothing}
            chooseAllWords={words.selectAll}
            line={DeviceLine}
            actions={actions}
          />
        )
      }
    >
      <BulkBar said={words.bulk} many={keys.length} hidden={hidden} bulk={bulk} clear={clear}>
        <Button icon={SunMedium} words={words.bulk.identify} onPress={() => void bulk.run('identify', keys)} />
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
      {replacing !== undefined && <ReplaceDialog {...replacing} close={() => setReplacing(undefined)} />}
    </TablePage>
  );
}

function countOpen(rows: readonly deviceRows.DeviceTableRow[], deviceids: readonly string[]): number {
  const wanted = new Set(deviceids);
  return rows.reduce((count, { key, device }) => count + (wanted.has(key) ? device.commands.length : 0), 0);
}

/** What asks before it is done to all devices that are chosen. */
const ASKED = [
  { kind: 'settings', icon: SlidersHorizontal, needs: 'edit_labels' },
  { kind: 'kill', icon: PowerOff, needs: 'send' },
  { kind: 'statics', icon: Eraser, needs: 'edit_labels' },
  { kind: 'remove', icon: Trash2, needs: 'manage_devices' },
] as const;

const ROW_HEIGHT = 60;
const HEADINGS = deviceRows.COLUMNS.map((by) => ({
  by,
  words: texts.devices.columns[by],
  className: styles[by] ?? '',
}));

const checkOf = ({ name }: deviceRows.DeviceTableRow): string => texts.devices.select(name);
const nothing = (): undefined => undefined;

type Given = { replace(deviceid: string): void; remove(deviceid: string): void };

/** What this person may do with one device; `given` asks first. */
function useDeviceActions({ replace, remove }: Given): DeviceActions {
  const { api, toasts } = useServices();
  const mayWork = useRight('work');
  const mayManage = useRight('manage_devices');
  const [, navigate] = useLocation();

  return useMemo<DeviceActions>(() => {
    const identify = ({ key, name }: DeviceTableRow) => {
      api.identify(key).then(
        () => toasts.say(texts.devices.identified(name)),
        (error: unknown) => toasts.fail(texts.devices.identifyFailed(name), error),
      );
    };
    return {
      open(deviceid) {
        wantPanelFocus(deviceid);
        navigate(deviceAddress(deviceid));
      },
      identify: mayWork ? identify : undefined,
      replace: mayManage ? ({ key }) => replace(key) : undefined,
      remove: mayManage ? ({ key }) => remove(key) : undefined,
    };
  }, [api, toasts, mayWork, mayManage, navigate, replace, remove]);
}
