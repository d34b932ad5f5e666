import { MapPinPlus, MonitorSmartphone, Pencil, Printer, Repeat2, Trash2 } from 'lucide-react';
import { memo, useMemo, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { Link, useLocation } from 'wouter';
import type { Device } from '#shared/api/device.ts';
import { arrowToPlace } from '#shared/lib/deviceIs.ts';
import type { LocationAlias } from '#shared/api/alias.ts';
import { deviceAddress } from '../../station/addresses.ts';
import { ledWords } from '../../shop/device/deviceWords.ts';
import { ledStyle, MiniLed } from '../../shop/device/Led.tsx';
import { LateScreen } from '../../shop/screen/LateScreen.tsx';
import { useDevice, useRight } from '../../station/context.ts';
import { wantPanelFocus } from '../../station/panelFocus.ts';
import { seenLight } from '../../station/seenLight.ts';
import { type MenuGroup, menuOf, MoreMenu } from '../../kit/menu/Menu.tsx';
import { Cells } from '../../kit/list/Grid.tsx';
import * as texts from '../../words/texts.ts';
import parts from '../../kit/parts.module.css';
import { dotted } from '../../words/dotted.ts';
import { useServices } from '../../shop/toasts.ts';
import { ArrowPaper } from './ArrowPaper.tsx';
import type { LocationTableRow } from '../../shop/place/locationRows.ts';
import styles from './LocationTable.module.css';

type Props = {
  row: LocationTableRow;
  /** On the way of Tab. */
  isCurrent: boolean;
  actions: LocationActions;
};

const NO_WORK: PlaceWork = { elsewhere: undefined, waiting: 0 };

/** The cells of one place, beside its check. */
export const LocationLine = memo(function LocationLine({ row, isCurrent, actions }: Props) {
  const { kind, name, deviceid } = row;
  const arrow = row.kind === 'alias' ? arrowToPlace(row.alias.deviceIs) : undefined;
  const cells = {
    place: <Name row={row} edit={actions.edit} isCurrent={isCurrent} />,
    device: (
      <DeviceLink
        deviceid={deviceid}
        name={row.deviceName}
        aliasId={row.kind === 'alias' ? row.alias.id : null}
        tab={isCurrent ? 0 : -1}
      />
    ),
    deviceIs:
      row.kind === 'alias' && arrow !== undefined ? (
        <>
          <ArrowPaper arrow={arrow} />
          <span className={styles.phrase}>{row.alias.deviceIs}</span>
          <span className="visuallyHidden">{texts.locations.points(texts.arrows[arrow])}</span>
        </>
      ) : (
        kind === 'label' && <span className={styles.quiet}>{texts.locations.itself}</span>
      ),
    kind: (
      <span className={styles.tag} data-kind={kind} title={texts.locations.kindHints[kind]}>
        {texts.locations.kinds[kind]}
      </span>
    ),
    actions: <MoreMenu label={texts.locations.more(name)} groups={placeMenu(row, actions)} isCurrent={isCurrent} />,
  };
  return <Cells look={styles} of={cells} />;
});

function Name({ row, edit, isCurrent }: { row: LocationTableRow; edit: LocationActions['edit']; isCurrent: boolean }) {
  const isNameless = row.kind === 'none';
  const words = isNameless ? texts.locations.nameless : row.name;
  if (edit === undefined) return <span className={isNameless ? styles.quiet : styles.nameWords}>{words}</span>;
  return (
    <AriaButton
      className={styles.name ?? ''}
      aria-label={isNameless ? `${texts.locations.nameless}: ${row.deviceid}` : texts.locations.edit(row.name)}
      excludeFromTabOrder={!isCurrent}
      data-control="name"
      data-nameless={isNameless || undefined}
      onPress={() => edit(row)}
    >
      <span className={styles.nameWords} title={words}>
        {words}
      </span>
      <Pencil className={styles.pencil} size={14} aria-hidden="true" />
    </AriaButton>
  );
}

type DeviceProps = { deviceid: string; name: string; aliasId: number | null; tab: 0 | -1 };

/** The current device, small, with its light at the place of the command. */
function DeviceLink({ deviceid, name, aliasId, tab }: DeviceProps) {
  const device = useDevice(deviceid);
  const { elsewhere, waiting } = device === undefined ? NO_WORK : placeWork(device, aliasId);
  const led = device === undefined || elsewhere !== undefined ? undefined : seenLight(device);
  const notes = dotted(
    name === deviceid ? '' : deviceid,
    elsewhere === undefined ? '' : texts.locations.litFor(elsewhere),
    waiting === 0 ? '' : texts.locations.waiting(waiting),
  );
  return (
    <Link
      href={deviceAddress(deviceid)}
      className={`${parts.middle3} ${styles.deviceLink}`}
      tabIndex={tab}
      data-control="device"
      onClick={() => wantPanelFocus(deviceid)}
    >
      <span className={styles.screen} aria-hidden="true">
        {device !== undefined && (
          <LateScreen
            screen={device.displayed?.screen ?? null}
            firmware={device.firmware}
            batteryMv={device.voltage === null ? null : Math.round(device.voltage * 1_000)}
            size={device.screen_size}
            scale="fill"
            blankWords={texts.device.blank}
          />
        )}
      </span>
      <span className={styles.light} style={ledStyle(led)}>
        <MiniLed led={led} />
      </span>
      <span className={styles.deviceWords}>
        <span className={`${parts.medium} ${styles.deviceName}`}>{name}</span>{' '}
        {notes !== '' && (
          <span className={styles.deviceid} title={notes}>
            {notes}
          </span>
        )}
        {elsewhere === undefined && <span className="visuallyHidden">{ledWords(led)}</span>}
      </span>
    </Link>
  );
}

function placeMenu(row: LocationTableRow, actions: LocationActions): MenuGroup[] {
  const { kind, deviceid } = row;
  const { edit, addAlias, remove, replace, print, open } = actions;
  const words = texts.locations.menu;
  const editWords = { alias: words.edit, label: words.editLabel, none: words.label }[kind];
  const removeWords = kind === 'alias' ? words.remove : words.clear;
  const needs = 'edit_labels';
  return menuOf(
    [
      { id: 'edit', words: editWords, icon: Pencil, needs, run: () => edit?.(row) },
      { id: 'addAlias', words: words.addAlias, icon: MapPinPlus, needs, run: () => addAlias?.(deviceid) },
    ],
    [
      { id: 'open', words: words.open, icon: MonitorSmartphone, run: () => open(deviceid) },
      kind !== 'none' && { id: 'print', words: words.print, icon: Printer, run: () => print(row) },
      { id: 'replace', words: words.replace, icon: Repeat2, needs: 'manage_devices', run: () => replace?.(deviceid) },
    ],
    [kind !== 'none' && { id: 'remove', words: removeWords, icon: Trash2, needs, run: () => remove?.(row) }],
  );
}

type PlaceWork = {
  /** What is lit at the device is for another of its places: that one's name. */
  elsewhere: string | undefined;
  /** Commands for this place that are not shown yet. */
  waiting: number;
};

/** What a device does for one of its places: an alias, or null for the device's own. */
function placeWork(device: Device, aliasId: number | null): PlaceWork {
  const { commands, displayed, deviceid } = device;
  const shown = commands.find(({ command_id }) => command_id === displayed?.command_id);
  const isOther = shown !== undefined && shown.alias_id !== aliasId;
  const waiting = commands.filter((command) => command !== shown && command.alias_id === aliasId).length;
  return { elsewhere: isOther ? shown.location || deviceid : undefined, waiting };
}

/** What can be done with a row. Undefined: not by this person. */
export type LocationActions = {
  edit: ((row: LocationTableRow) => void) | undefined;
  addAlias: ((deviceid: string) => void) | undefined;
  remove: ((row: LocationTableRow) => void) | undefined;
  replace: ((deviceid: string) => void) | undefined;
  print(row: LocationTableRow): void;
  open(deviceid: string): void;
};

/** The dialog that is open. */
type Asking =
  | { kind: 'alias'; alias: LocationAlias | undefined; deviceid?: string }
  | { kind: 'label' | 'replace'; deviceid: string };

/** What this person may do with rows, and the dialog that one of them has opened. */
export function useRowActions(print: (keys: readonly string[]) => void) {
  const { api, store, toasts } = useServices();
  const mayEdit = useRight('edit_labels');
  const mayReplace = useRight('manage_devices');
  const [asking, setAsking] = useState<Asking>();
  const [, navigate] = useLocation();

  const actions = useMemo<LocationActions>(() => {
    async function removeAlias(alias: LocationAlias): Promise<void> {
      const device = store.getState().station?.devices.find(({ deviceid }) => deviceid === alias.deviceid);
      const isLit = device?.commands.some(({ alias_id }) => alias_id === alias.id) ?? false;
      await api.removeAlias(alias.id);
      const { name, deviceid, deviceIs } = alias;
      toasts.say(isLit ? texts.locations.removedLit(name) : texts.locations.removed(name), {
        undo: async () => void (await api.addAlias({ name, deviceid, deviceIs })),
      });
    }

    async function clearLabel({ deviceid, name }: LocationTableRow): Promise<void> {
      await api.send(deviceid, { locationoverride: '' });
      toasts.say(texts.locations.cleared(name), {
        undo: async () => void (await api.send(deviceid, { locationoverride: name })),
      });
    }

    function remove(row: LocationTableRow): void {
      (row.kind === 'alias' ? removeAlias(row.alias) : clearLabel(row)).catch((error: unknown) =>
        toasts.fail(texts.locations.notDone(row.name), error),
      );
    }

    function edit(row: LocationTableRow): void {
      if (row.kind === 'alias') setAsking({ kind: 'alias', alias: row.alias });
      else setAsking({ kind: 'label', deviceid: row.deviceid });
    }

    return {
      edit: mayEdit ? edit : undefined,
      addAlias: mayEdit ? (deviceid) => setAsking({ kind: 'alias', alias: undefined, deviceid }) : undefined,
      remove: mayEdit ? remove : undefined,
      replace: mayReplace ? (deviceid) => setAsking({ kind: 'replace', deviceid }) : undefined,
      print: ({ key }) => print([key]),
      open(deviceid) {
        wantPanelFocus(deviceid);
        navigate(deviceAddress(deviceid));
      },
    };
  }, [api, store, toasts, mayEdit, mayReplace, navigate, print]);

  return { actions, asking, ask: setAsking, close: () => setAsking(undefined) };
}
