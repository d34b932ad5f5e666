import {
  MapPinPlus,
  MapPinned,
  MonitorSmartphone,
  Pencil,
  Printer,
  Repeat2,
  SunMedium,
  Tag,
  TextCursorInput,
  Trash2,
} from 'lucide-react';
import { useMemo, useState } from 'react';
import type { LocationAlias } from '#shared/api/alias.ts';
import { type MenuGroup, menuOf } from '../../kit/menu/Menu.tsx';
import { aliasKey } from '../../shop/labels/labelContents.ts';
import { useServices } from '../../shop/toasts.ts';
import { useSelection } from '../../station/addresses.ts';
import { useRight } from '../../station/context.ts';
import { wantPanelFocus } from '../../station/panelFocus.ts';
import { useChangePlaces } from '../../station/useDarkPlaces.ts';
import * as texts from '../../words/texts.ts';
import { hasDevice, hasName, type PlaceRow, type AnyPlaceRow, type WaitingRow } from './placeRows.ts';

const words = texts.places;

/** Actions on a row or an alias. An action is undefined if this person lacks the right. */
export type PlaceActions = {
  open(deviceid: string): void;
  identify: ((row: PlaceRow) => void) | undefined;
  /** Opens the dialog for another place of the device. */
  edit: ((row: PlaceRow) => void) | undefined;
  /** Opens the dialog for another name of the place. */
  rename: ((row: AnyPlaceRow) => void) | undefined;
  /** Opens the dialog that hangs a device at a place that waits for one. */
  hang: ((row: WaitingRow) => void) | undefined;
  /** Deletes a place that waits for its device. Asks first if articles have this place. */
  removePlace: ((row: WaitingRow) => void) | undefined;
  /** Clears the label. */
  clear: ((row: PlaceRow) => void) | undefined;
  addAlias: ((deviceid: string) => void) | undefined;
  editAlias: ((alias: LocationAlias) => void) | undefined;
  removeLocationAlias: ((alias: LocationAlias) => void) | undefined;
  /** Opens the list of all aliases of the device. */
  showAliases(row: PlaceRow): void;
  replace: ((deviceid: string) => void) | undefined;
  /** Removes the device after a confirmation. */
  remove: ((deviceid: string) => void) | undefined;
  /** Opens the labels with these keys for printing. */
  print(keys: readonly string[]): void;
};

export type PlaceQuestion =
  | { kind: 'alias'; alias: LocationAlias | undefined; deviceid?: string }
  | { kind: 'label' | 'aliases'; deviceid: string }
  | { kind: 'rename'; from: string }
  | { kind: 'hang'; place: string }
  | { kind: 'removePlace'; row: WaitingRow }
  | { kind: 'replace'; deviceid?: string };

/** Returns the keys of the printable labels of these rows: of devices with a label, and of their aliases. */
export function labelKeys(rows: readonly AnyPlaceRow[]): readonly string[] {
  return rows
    .filter(hasDevice)
    .flatMap(({ key, device, aliases }) => [
      ...(device.locationoverride === '' ? [] : [key]),
      ...aliases.map(aliasKey),
    ]);
}

type Given = { remove(deviceid: string): void; print(keys: readonly string[]): void };

/** Returns the actions that this person has the right to perform, and the open dialog. */
export function usePlaceActions({ remove, print }: Given) {
  const { api, store, toasts } = useServices();
  const changePlaces = useChangePlaces();
  const mayWork = useRight('work');
  const mayEdit = useRight('edit_labels');
  const mayRename = useRight('edit_stock');
  const mayManage = useRight('manage_devices');
  const mayMap = useRight('edit_map');
  const [asking, setAsking] = useState<PlaceQuestion>();
  const { select } = useSelection('places');

  const actions = useMemo<PlaceActions>(() => {
    async function removeLocationAlias(alias: LocationAlias): Promise<void> {
      const { id, name, deviceid, deviceIs } = alias;
      const device = store.getState().station?.devices.find((each) => each.deviceid === deviceid);
      const isLit = device?.commands.some(({ alias_id }) => alias_id === id) ?? false;
      await api.removeLocationAlias({ path: { id } });
      toasts.show(isLit ? words.removedLit(name) : words.removed(name), {
        undo: async () => void (await api.addLocationAlias({ body: { name, deviceid, deviceIs } })),
      });
    }

    async function clear({ key, name }: PlaceRow): Promise<void> {
      await api.sendToDevice({ path: { DeviceID: key }, body: { locationoverride: '' } });
      toasts.show(words.cleared(name), {
        undo: async () => void (await api.sendToDevice({ path: { DeviceID: key }, body: { locationoverride: name } })),
      });
    }

    async function identify({ key, name }: PlaceRow): Promise<void> {
      await api.identifyDevice({ path: { DeviceID: key } });
      toasts.show(words.identified(name));
    }

    async function removePlace({ name, waiting: { note } }: WaitingRow): Promise<void> {
      await changePlaces(() => api.removePlace({ path: { name } }));
      toasts.show(words.removed(name), {
        undo: async () => void (await changePlaces(() => api.addPlace({ body: { name, note } }))),
      });
    }

    const attempt = (run: Promise<void>, failed: string) => {
      run.catch((error: unknown) => toasts.fail(failed, error));
    };

    return {
      open(deviceid) {
        wantPanelFocus(deviceid);
        select(deviceid);
      },
      identify: mayWork ? (row) => attempt(identify(row), words.identifyFailed(row.name)) : undefined,
      edit: mayEdit ? ({ key }) => setAsking({ kind: 'label', deviceid: key }) : undefined,
      rename: mayRename ? ({ name }) => setAsking({ kind: 'rename', from: name }) : undefined,
      hang: mayEdit ? ({ name }) => setAsking({ kind: 'hang', place: name }) : undefined,
      removePlace: mayMap
        ? (row) => {
            if (row.waiting.articles.length > 0) setAsking({ kind: 'removePlace', row });
            else attempt(removePlace(row), words.notDone(row.name));
          }
        : undefined,
      clear: mayEdit ? (row) => attempt(clear(row), words.notDone(row.name)) : undefined,
      addAlias: mayEdit ? (deviceid) => setAsking({ kind: 'alias', alias: undefined, deviceid }) : undefined,
      editAlias: mayEdit ? (alias) => setAsking({ kind: 'alias', alias }) : undefined,
      removeLocationAlias: mayEdit
        ? (alias) => attempt(removeLocationAlias(alias), words.notDone(alias.name))
        : undefined,
      showAliases: ({ key }) => setAsking({ kind: 'aliases', deviceid: key }),
      replace: mayManage ? (deviceid) => setAsking({ kind: 'replace', deviceid }) : undefined,
      remove: mayManage ? remove : undefined,
      print,
    };
  }, [api, store, changePlaces, toasts, mayWork, mayEdit, mayRename, mayManage, mayMap, select, remove, print]);

  return { actions, asking, ask: setAsking, close: () => setAsking(undefined) };
}

/** Returns the menu of a row. */
export function placeMenu(row: AnyPlaceRow, actions: PlaceActions): { label: string; groups: MenuGroup[] } {
  return hasDevice(row) ? menuOfDevice(row, actions) : menuOfWaiting(row, actions);
}

function menuOfWaiting(row: WaitingRow, { hang, rename, removePlace }: PlaceActions) {
  const said = words.menu;
  return {
    label: words.more(row.name),
    groups: menuOf(
      [
        { id: 'hang', words: said.hang, icon: Tag, needs: 'edit_labels', run: () => hang?.(row) },
        { id: 'rename', words: said.rename, icon: TextCursorInput, needs: 'edit_stock', run: () => rename?.(row) },
      ],
      [{ id: 'remove', words: said.removePlace, icon: Trash2, needs: 'edit_map', run: () => removePlace?.(row) }],
    ),
  };
}

function menuOfDevice(row: PlaceRow, actions: PlaceActions): { label: string; groups: MenuGroup[] } {
  const { key, name, device, aliases } = row;
  const { open, identify, edit, rename, clear, addAlias, showAliases, replace, remove, print } = actions;
  const said = words.menu;
  const isLabeled = device.locationoverride !== '';
  const needs = 'edit_labels';
  const manages = 'manage_devices';
  return {
    label: words.more(name),
    groups: menuOf(
      [
        { id: 'open', words: said.open, icon: MonitorSmartphone, run: () => open(key) },
        identify !== undefined && { id: 'identify', words: said.identify, icon: SunMedium, run: () => identify(row) },
      ],
      [
        { id: 'edit', words: isLabeled ? said.move : said.label, icon: Pencil, needs, run: () => edit?.(row) },
        isLabeled && {
          id: 'rename',
          words: said.rename,
          icon: TextCursorInput,
          needs: 'edit_stock',
          run: () => rename?.(row),
        },
        { id: 'addAlias', words: said.addAlias, icon: MapPinPlus, needs, run: () => addAlias?.(key) },
        aliases.length > 0 && { id: 'aliases', words: said.aliases, icon: MapPinned, run: () => showAliases(row) },
        hasName(row) && {
          id: 'print',
          words: aliases.length === 0 ? said.print : said.printAll,
          icon: Printer,
          run: () => print(labelKeys([row])),
        },
      ],
      [
        { id: 'replace', words: said.replace, icon: Repeat2, needs: manages, run: () => replace?.(key) },
        isLabeled && { id: 'clear', words: said.clear, icon: Tag, needs, run: () => clear?.(row) },
        { id: 'remove', words: said.remove, icon: Trash2, needs: manages, run: () => remove?.(key) },
      ],
    ),
  };
}
