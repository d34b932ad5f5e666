import { useState } from 'react';
import type { LocationAlias } from '#shared/api/alias.ts';
import { arrowToPlace, type DeviceIs } from '#shared/lib/deviceIs.ts';
import { nameKey } from '#shared/lib/nameKey.ts';
import { EMPTY_SCREEN } from '#shared/screen/content.ts';
import { Paper } from '../../screen/Paper.tsx';
import { useStationContext, useStationState } from '../../station/context.ts';
import { LineField } from '../../ui/fields.tsx';
import { FormDialog, type FieldProblems } from '../../ui/FormDialog.tsx';
import { texts } from '../../ui/texts.ts';
import { useToasts } from '../../ui/toasts.ts';
import { problemsOf } from '../../ui/fieldProblems.ts';
import { DeviceField } from '../../device/DeviceField.tsx';
import { choiceText, deviceNamed } from '../../device/deviceChoices.ts';
import styles from '../../ui/dialogs.module.css';
import { PhraseField } from './PhraseField.tsx';

type Props = {
  /** Undefined: a new one. */
  alias: LocationAlias | undefined;
  /** The device that a new one is for, where it is known. */
  deviceid?: string;
  close(): void;
};

const FIELDS = new Set(['name', 'deviceid', 'deviceIs']);
const USUAL_DEVICE = { firmware: 70, voltage: null };

/** Which device stands for a place, and where it is: a new alias, or a change of one. */
export function AliasDialog({ alias, deviceid, close }: Props) {
  const { api, store } = useStationContext();
  const toasts = useToasts();
  const places = useStationState((state) => state.places);
  const nameOfDevice = (id: string | undefined): string => {
    const place = places.find((each) => each.deviceid === id);
    return place === undefined ? (id ?? '') : choiceText(place);
  };
  const [name, setName] = useState(alias?.name ?? '');
  const [typed, setTyped] = useState(() => nameOfDevice(alias?.deviceid ?? deviceid));
  const [deviceIs, setDeviceIs] = useState<DeviceIs>(alias?.deviceIs ?? 'Below');
  const chosen = deviceNamed(places, typed);
  const device = store.getState().station?.devices.find((each) => each.deviceid === chosen);
  const before = store.getState().station?.devices.find((each) => each.deviceid === alias?.deviceid);
  const open = before?.commands.filter(({ alias_id }) => alias_id === alias?.id).length ?? 0;
  const labelled = places.find(
    (place) => name.trim() !== '' && place.name !== place.deviceid && nameKey(place.name) === nameKey(name),
  );

  async function save(): Promise<void> {
    if (chosen === undefined) return;
    const wanted = { name: name.trim(), deviceid: chosen, deviceIs };
    if (alias === undefined) {
      const added = await api.addAlias(wanted);
      toasts.say(texts.locations.alias.added(added.name), { undo: () => api.removeAlias(added.id) });
    } else {
      const changed = await api.changeAlias(alias.id, wanted);
      toasts.say(texts.locations.alias.changed(changed.name), {
        undo: async () => void (await api.changeAlias(alias.id, alias)),
      });
    }
    close();
  }

  function check(): FieldProblems {
    const problems: Record<string, string> = {};
    if (name.trim() === '') problems['name'] = texts.locations.alias.noName;
    if (typed.trim() === '') problems['deviceid'] = texts.locations.alias.noDevice;
    else if (chosen === undefined) problems['deviceid'] = texts.locations.alias.unknownDevice(typed.trim());
    return problems;
  }

  return (
    <FormDialog
      title={alias === undefined ? texts.locations.alias.addTitle : texts.locations.alias.editTitle(alias.name)}
      size="large"
      submit={texts.locations.alias.save}
      working={texts.locations.alias.saving}
      typed={`${deviceIs} ${typed} ${name}`}
      check={check}
      save={save}
      problemsOf={(error) => problemsOf(error, FIELDS, texts.locations.alias.failed)}
      onClose={close}
    >
      <div className={styles.form}>
        <div className={styles.column}>
          <LineField
            name="name"
            label={texts.locations.alias.name}
            hint={texts.locations.alias.nameHint}
            value={name}
            onChange={setName}
            autoFocus
          />
          {labelled !== undefined && (
            <p className={styles.care}>{texts.locations.alias.isLabel(labelled.name, labelled.deviceid)}</p>
          )}
          <DeviceField
            name="deviceid"
            label={texts.locations.alias.device}
            placeholder={texts.locations.alias.devicePlaceholder}
            value={typed}
            onChange={setTyped}
          />
          {alias !== undefined && chosen !== undefined && chosen !== alias.deviceid && open > 0 && (
            <p className={styles.care}>{texts.locations.alias.moves(open)}</p>
          )}
          <div className={styles.preview}>
            <p className={styles.caption}>{texts.locations.alias.preview}</p>
            <Paper
              screen={{
                ...EMPTY_SCREEN,
                label: name.trim(),
                lines: [texts.locations.alias.sample],
                arrow: arrowToPlace(deviceIs),
              }}
              device={device ?? USUAL_DEVICE}
              blankWords={texts.device.blank}
            />
          </div>
        </div>
        <div className={styles.column}>
          <PhraseField place={name.trim()} value={deviceIs} onChange={setDeviceIs} />
        </div>
      </div>
    </FormDialog>
  );
}
