import { MapPin } from 'lucide-react';
import { useState } from 'react';
import { Label, Radio, RadioGroup } from 'react-aria-components';
import type { LocationAlias } from '#shared/api/alias.ts';
import type { Device } from '#shared/api/device.ts';
import { arrowToPlace, DEVICE_IS, type DeviceIs } from '#shared/lib/deviceIs.ts';
import { nameKey } from '#shared/lib/nameKey.ts';
import { staticScreen } from '#shared/lib/staticScreen.ts';
import { EMPTY_SCREEN } from '#shared/screen/content.ts';
import { choiceText, DeviceField, deviceNamed } from '../../device/DeviceField.tsx';
import { Paper } from '../../screen/Paper.tsx';
import { useDevice, useStationContext, useStationState } from '../../station/context.ts';
import styles from '../../ui/dialogs.module.css';
import { problemsOf } from '../../ui/fieldProblems.ts';
import fields from '../../ui/fields.module.css';
import { LineField } from '../../ui/fields.tsx';
import { type FieldMessages, FormDialog } from '../../ui/FormDialog.tsx';
import parts from '../../ui/parts.module.css';
import { useProblem } from '../../ui/ProblemForm.tsx';
import { texts } from '../../ui/texts.ts';
import { useToasts } from '../../ui/toasts.ts';
import own from './AliasDialog.module.css';
import { ArrowPaper } from './ArrowPaper.tsx';

type Props = {
  /** Undefined: a new one. */
  alias: LocationAlias | undefined;
  /** The device that a new one is for, where it is known. */
  deviceid?: string;
  close(): void;
};

const FIELDS = new Set(['name', 'deviceid', 'deviceIs']);
const USUAL_DEVICE = { firmware: 70, voltage: null };

/** Adds or edits an alias: its place, its device and where the device is. */
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

  function check(): FieldMessages {
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
            <p className={parts.care}>{texts.locations.alias.isLabel(labelled.name, labelled.deviceid)}</p>
          )}
          <DeviceField
            name="deviceid"
            label={texts.locations.alias.device}
            placeholder={texts.locations.alias.devicePlaceholder}
            value={typed}
            onChange={setTyped}
          />
          {alias !== undefined && chosen !== undefined && chosen !== alias.deviceid && open > 0 && (
            <p className={parts.care}>{texts.locations.alias.moves(open)}</p>
          )}
          <div className={`${parts.stack2} ${styles.preview}`}>
            <p className={parts.medium}>{texts.locations.alias.preview}</p>
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

type PhraseFieldProps = { place: string; value: DeviceIs; onChange(value: DeviceIs): void };

/** Rows from the top, the place in the middle. */
const AROUND = [
  'Above and to the Left of',
  'Above',
  'Above and to the Right of',
  'to the Left of',
  'place',
  'to the Right of',
  'Below and to the Left of',
  'Below',
  'Below and to the Right of',
] as const satisfies readonly (DeviceIs | 'place')[];

/** Where a device is, seen from its place: drawn around the place, each with the arrow that it shows there. */
function PhraseField({ place, value, onChange }: PhraseFieldProps) {
  const { isInvalid, error } = useProblem('deviceIs');
  return (
    <RadioGroup
      className={fields.field ?? ''}
      name="deviceIs"
      isInvalid={isInvalid}
      data-field
      value={value}
      onChange={(chosen) => {
        const next = DEVICE_IS.find((each) => each === chosen);
        if (next !== undefined) onChange(next);
      }}
    >
      <Label className={fields.label ?? ''}>{texts.locations.alias.deviceIs}</Label>
      <div className={`${parts.panel} ${own.around}`}>
        {AROUND.map((each) =>
          each === 'place' ? (
            <div key={each} className={own.place} aria-hidden="true">
              <MapPin size={18} />
              <span>{place === '' ? texts.locations.alias.place : place}</span>
            </div>
          ) : (
            <Radio key={each} value={each} className={own.device ?? ''} aria-label={each}>
              <ArrowPaper arrow={arrowToPlace(each)} />
            </Radio>
          ),
        )}
      </div>
      {error}
      <p className={parts.plain}>{texts.locations.alias.says(value, texts.arrows[arrowToPlace(value)])}</p>
    </RadioGroup>
  );
}

const LABEL_DIALOG_FIELDS = new Set(['locationoverride']);

/** The name of the place where a device hangs. */
export function LabelDialog({ deviceid, close }: { deviceid: string; close(): void }) {
  const device = useDevice(deviceid);
  return device === undefined ? null : <Open device={device} close={close} />;
}

function Open({ device, close }: { device: Device; close(): void }) {
  const { api } = useStationContext();
  const toasts = useToasts();
  const { deviceid } = device;
  const [before] = useState(device.locationoverride);
  const [label, setLabel] = useState(before);

  async function save(): Promise<void> {
    const { warnings } = await api.send(deviceid, { locationoverride: label.trim() });
    const undo = async () => void (await api.send(deviceid, { locationoverride: before }));
    toasts.say([texts.locations.label.changed(label.trim()), ...warnings].join(' '), { undo });
    close();
  }

  return (
    <FormDialog
      title={texts.locations.label.title(deviceid)}
      submit={texts.locations.label.save}
      working={texts.locations.label.saving}
      typed={label}
      save={save}
      problemsOf={(error) => problemsOf(error, LABEL_DIALOG_FIELDS, texts.locations.label.failed)}
      onClose={close}
    >
      <LineField
        name="locationoverride"
        label={texts.locations.label.name}
        hint={texts.locations.label.nameHint}
        value={label}
        onChange={setLabel}
        autoFocus
      />
      <div className={`${parts.stack2} ${styles.preview}`}>
        <p className={parts.medium}>{texts.locations.label.preview}</p>
        <Paper screen={staticScreen(device, label.trim())} device={device} blankWords={texts.device.blank} />
      </div>
    </FormDialog>
  );
}
