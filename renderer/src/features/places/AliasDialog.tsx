import { MapPin } from 'lucide-react';
import { useState } from 'react';
import { Label, Radio, RadioGroup } from 'react-aria-components';
import type { LocationAlias } from '#shared/api/alias.ts';
import type { Device } from '#shared/api/device.ts';
import { arrowToPlace, DEVICE_IS, type DeviceIs } from '#shared/lib/devices/deviceIs.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import { staticScreen } from '#shared/lib/requests/staticScreen.ts';
import { EMPTY_SCREEN } from '#shared/screen/content.ts';
import { choiceText, deviceNamed, PlaceField } from '../../shop/place/PlaceField.tsx';
import { SlowNote } from '../../shop/device/SlowNote.tsx';
import { Paper } from '../../shop/screen/Paper.tsx';
import { useDevice, useStationState } from '../../station/context.ts';
import styles from '../../kit/dialog/dialogs.module.css';
import { type FieldMessages, problemsOf } from '../../kit/field/fieldProblems.ts';
import fields from '../../kit/field/fields.module.css';
import { LineField, useForm } from '../../kit/field/fields.tsx';
import { FormDialog } from '../../kit/dialog/FormDialog.tsx';
import parts from '../../kit/parts.module.css';
import { useProblem } from '../../kit/field/ProblemForm.tsx';
import * as texts from '../../words/texts.ts';
import { useServices } from '../../shop/toasts.ts';
import own from './AliasDialog.module.css';
import { ArrowPaper } from '../../shop/place/ArrowPaper.tsx';
import { isAmbiguous, LabelMeaning, type LabelChange } from '../../shop/place/LabelMeaning.tsx';
import { renamePlace } from '../../shop/place/renamePlace.ts';

type Props = {
  /** The alias to edit, or undefined for a new one. */
  alias: LocationAlias | undefined;
  /** The device of a new alias, if known. */
  deviceid?: string;
  close(): void;
};

const words = texts.locations.alias;
const said = texts.locations.label;
const meanings = texts.locations.meaning;
const FIELDS = new Set(['name', 'deviceid', 'deviceIs', 'meaning']);
const USUAL_DEVICE = { firmware: 70, voltage: null };

/** Adds or edits an alias: its name, its device, and where the device is relative to the place. */
export function AliasDialog({ alias, deviceid, close }: Props) {
  const { api, store, toasts } = useServices();
  const places = useStationState((state) => state.places);
  const nameOfDevice = (id: string | undefined): string => {
    const place = places.find((each) => each.deviceid === id);
    return place === undefined ? (id ?? '') : choiceText(place);
  };
  const { draft, field } = useForm(() => ({
    name: alias?.name ?? '',
    deviceid: nameOfDevice(alias?.deviceid ?? deviceid),
    deviceIs: alias?.deviceIs ?? 'Below',
    meaning: '' as LabelChange,
  }));
  /** The alias as it was when the dialog was opened. */
  const [opened] = useState(alias);
  const { deviceid: typed, deviceIs, meaning } = draft;
  const name = draft.name.trim();
  const chosen = deviceNamed(places, typed);
  const device = store.getState().station?.devices.find((each) => each.deviceid === chosen);
  const before = store.getState().station?.devices.find((each) => each.deviceid === alias?.deviceid);
  const open = before?.commands.filter(({ alias_id }) => alias_id === alias?.id).length ?? 0;
  const labeled = places.find(
    (place) => name !== '' && place.name !== place.deviceid && nameKey(place.name) === nameKey(name),
  );

  async function save(): Promise<void> {
    if (chosen === undefined) return;
    const wanted = { name, deviceid: chosen, deviceIs };
    if (alias === undefined) {
      const added = await api.addLocationAlias({ body: wanted });
      toasts.show(words.added(added.name), { undo: () => api.removeLocationAlias({ path: { id: added.id } }) });
    } else {
      const isRenamed = meaning === 'rename' && isAmbiguous(alias.name, name);
      if (isRenamed) await renamePlace(api, alias.name, name);
      // Change only the edited fields, because the device may have been replaced while the dialog was open.
      const now = store.getState().station?.aliases.find(({ id }) => id === alias.id) ?? alias;
      const edited = {
        name: name === opened?.name ? now.name : name,
        deviceid: chosen === opened?.deviceid ? now.deviceid : chosen,
        deviceIs: deviceIs === opened?.deviceIs ? now.deviceIs : deviceIs,
      };
      const changed = await api.changeLocationAlias({ path: { id: alias.id }, body: edited });
      toasts.show(words.changed(changed.name), {
        undo: async () => {
          if (isRenamed) await renamePlace(api, name, alias.name);
          await api.changeLocationAlias({ path: { id: alias.id }, body: { ...now, name: opened?.name ?? now.name } });
        },
      });
    }
    close();
  }

  function check(): FieldMessages {
    const problems: Record<string, string> = {};
    if (name === '') problems['name'] = words.noName;
    if (alias !== undefined && meaning === '' && isAmbiguous(alias.name, name)) problems['meaning'] = meanings.none;
    if (typed.trim() === '') problems['deviceid'] = words.noDevice;
    else if (chosen === undefined) problems['deviceid'] = words.unknownDevice(typed.trim());
    return problems;
  }

  return (
    <FormDialog
      title={alias === undefined ? words.addTitle : words.editTitle(alias.name)}
      size="large"
      submit={words.save}
      working={words.saving}
      draft={draft}
      check={check}
      save={save}
      problemsOf={(error) => problemsOf(error, FIELDS, words.failed)}
      onClose={close}
    >
      {alias === undefined && <p className={`${parts.quiet} ${own.lead}`}>{words.lead}</p>}
      <div className={styles.form}>
        <div className={styles.column}>
          <LineField {...field('name')} label={words.name} hint={words.nameHint} autoFocus />
          {labeled !== undefined && <p className={parts.care}>{words.isLabel(labeled.name, labeled.deviceid)}</p>}
          {alias !== undefined && <LabelMeaning {...field('meaning')} before={alias.name} label={name} />}
          <PlaceField
            chooses="device"
            {...field('deviceid')}
            label={words.device}
            placeholder={words.devicePlaceholder}
          />
          <SlowNote device={device} />
          {alias !== undefined && chosen !== undefined && chosen !== alias.deviceid && open > 0 && (
            <p className={parts.care}>{words.moves(open)}</p>
          )}
          <div className={`${parts.stack2} ${styles.preview}`}>
            <p className={parts.medium}>{words.preview}</p>
            <Paper
              screen={{ ...EMPTY_SCREEN, label: name, lines: [words.sample], arrow: arrowToPlace(deviceIs) }}
              device={device ?? USUAL_DEVICE}
              blankWords={texts.device.blank}
            />
          </div>
        </div>
        <div className={styles.column}>
          <PhraseField {...field('deviceIs')} place={name} />
        </div>
      </div>
    </FormDialog>
  );
}

/** Positions of the device around the place, row by row from the top. The place itself is in the middle. */
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

/**
 * The field for the device's position relative to the place. Draws the options around the place, each with the arrow
 * that the device shows there.
 */
function PhraseField({ place, value, onChange }: { place: string; value: DeviceIs; onChange(value: DeviceIs): void }) {
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
      <Label className={fields.label ?? ''}>{words.deviceIs}</Label>
      <div className={`${parts.panel} ${own.around}`}>
        {AROUND.map((each) =>
          each === 'place' ? (
            <div key={each} className={own.place} aria-hidden="true">
              <MapPin size={18} />
              <span>{place === '' ? words.place : place}</span>
            </div>
          ) : (
            <Radio key={each} value={each} className={own.device ?? ''} aria-label={each}>
              <ArrowPaper arrow={arrowToPlace(each)} />
            </Radio>
          ),
        )}
      </div>
      {error}
      <p className={parts.plain}>{words.says(value, texts.arrows[arrowToPlace(value)])}</p>
    </RadioGroup>
  );
}

const LABEL_DIALOG_FIELDS = new Set(['locationoverride']);

/** Edits the label of a device, which names the device's place. */
export function LabelDialog({ deviceid, close }: { deviceid: string; close(): void }) {
  const device = useDevice(deviceid);
  return device === undefined ? null : <Open device={device} close={close} />;
}

function Open({ device, close }: { device: Device; close(): void }) {
  const { api, toasts } = useServices();
  const { deviceid } = device;
  const [before] = useState(device.locationoverride);
  const { draft, field } = useForm({ locationoverride: before });
  const label = draft.locationoverride.trim();

  async function save(): Promise<void> {
    const { warnings } = await api.sendToDevice({ path: { DeviceID: deviceid }, body: { locationoverride: label } });
    const undo = async () =>
      void (await api.sendToDevice({ path: { DeviceID: deviceid }, body: { locationoverride: before } }));
    toasts.show([said.changed(label), ...warnings].join(' '), { undo });
    close();
  }

  return (
    <FormDialog
      title={before === '' ? said.title(deviceid) : said.moveTitle(before)}
      submit={said.save}
      working={said.saving}
      draft={draft}
      save={save}
      problemsOf={(error) => problemsOf(error, LABEL_DIALOG_FIELDS, said.failed)}
      onClose={close}
    >
      {before !== '' && <p className={parts.quiet}>{said.moveLead(before)}</p>}
      <LineField {...field('locationoverride')} label={said.name} hint={said.nameHint} autoFocus />
      <SlowNote device={device} />
      <div className={`${parts.stack2} ${styles.preview}`}>
        <p className={parts.medium}>{said.preview}</p>
        <Paper screen={staticScreen(device, label)} device={device} blankWords={texts.device.blank} />
      </div>
    </FormDialog>
  );
}
