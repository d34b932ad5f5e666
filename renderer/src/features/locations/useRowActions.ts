import { useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import type { LocationAlias } from '#shared/api/alias.ts';
import { useRight } from '../../station/context.ts';
import { wantPanelFocus } from '../../station/panelFocus.ts';
import { texts } from '../../ui/texts.ts';
import { useServices } from '../../ui/toasts.ts';
import type { LocationActions } from './LocationLine.tsx';
import type { LocationTableRow } from './locationRows.ts';

/** The dialog that is open. */
export type Asking =
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
        navigate(`/devices/${deviceid}`);
      },
    };
  }, [api, store, toasts, mayEdit, mayReplace, navigate, print]);

  return { actions, asking, ask: setAsking, close: () => setAsking(undefined) };
}
