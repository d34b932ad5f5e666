import { Check, Pointer } from 'lucide-react';
import { useState } from 'react';
import type { WaitingDevice } from '#shared/api/device.ts';
import { findDevice } from '#shared/api/reducer.ts';
import type { Station } from '#shared/api/station.ts';
import { choiceText, deviceNamed, PlaceField } from '../place/PlaceField.tsx';
import { useStationState } from '../../station/context.ts';
import { cellWords } from '../../station/placeNames.ts';
import { nameOf, type NamedDevice } from '../../station/places.ts';
import type { Pressed } from '../../station/live/store.ts';
import { useWaiting } from '../../station/useWaiting.ts';
import styles from '../../kit/dialog/dialogs.module.css';
import { type FieldMessages, problemsOf } from '../../kit/field/fieldProblems.ts';
import { FormDialog } from '../../kit/dialog/FormDialog.tsx';
import parts from '../../kit/parts.module.css';
import * as texts from '../../words/texts.ts';
import { useServices } from '../toasts.ts';
import own from './ReplaceDialog.module.css';
import { usePressed } from './usePressed.ts';

const FIELDS = new Set(['deviceid']);
const words = texts.replace;

type Props = {
  /** Id of the device to replace, or undefined to choose it in the dialog. */
  old?: string;
  close(): void;
};

/** A dialog that replaces a device with another one that the person presses or chooses. Shows what moves to the new device. */
export function ReplaceDialog({ old, close }: Props) {
  const station = useStationState((state) => state.station);
  return station === null ? null : <Open station={station} given={old} close={close} />;
}

type Typed = {
  text: string;
  /** The latest press when the text was typed. Only a newer press replaces the typed text. */
  press: Pressed | undefined;
};

function Open({ station, given, close }: { station: Station; given: string | undefined; close(): void }) {
  const { api, toasts } = useServices();
  const places = useStationState((state) => state.places);
  const { waiting } = useWaiting();
  const pressed = usePressed();
  const [typed, setTyped] = useState<Typed>({ text: '', press: undefined });
  const [typedOld, setTypedOld] = useState('');
  // A new press replaces the typed text, and typing replaces a press.
  const isPressed = pressed !== undefined && pressed !== typed.press && pressed.deviceid !== given;
  const text = isPressed ? textOf(places, pressed.deviceid) : typed.text;
  // Remount the fields after a press: a text that changes by itself would open the list of the focused field.
  const turn = pressed === undefined ? '' : `${pressed.deviceid} ${pressed.at}`;
  const setText = (next: string) => {
    if (next !== text) setTyped({ text: next, press: pressed });
  };

  const old = given ?? deviceNamed(places, typedOld);
  const chosen = deviceNamed(places, text) ?? waitingNamed(waiting, text);
  const oldDevice = old === undefined ? undefined : findDevice(station.devices, old);
  const next = chosen === undefined ? undefined : findDevice(station.devices, chosen);
  const oldName = oldDevice === undefined ? (old ?? '') : nameOf(oldDevice);
  const lost = chosen === undefined || chosen === old ? [] : whatIsLost(station, chosen);
  const busy = station.devices
    .filter(({ commands }) => commands.length > 0)
    .map((device) => [device.deviceid, words.busy] as const);
  const refused = new Map(old === undefined ? busy : [...busy, [old, words.same] as const]);

  async function save(): Promise<void> {
    if (chosen === undefined || old === undefined) return;
    if (next === undefined) await api.registerDevice({ body: { deviceid: chosen, buttons: 1 } });
    await api.replaceDevice({ path: { DeviceID: old }, body: { deviceid: chosen } });
    // Offer Undo only if the new device had nothing: replacing it back would not restore what it had before.
    const undo =
      lost.length === 0
        ? { undo: () => api.replaceDevice({ path: { DeviceID: chosen }, body: { deviceid: old } }) }
        : {};
    toasts.show(words.done(chosen, oldName), { ...undo, action: removal(old) });
    close();
  }

  /** Returns an action that removes the old device, which is now blank and, if it is broken, useless. */
  function removal(deviceid: string) {
    const buttons = oldDevice?.buttons ?? 1;
    return {
      words: words.removeOld,
      failed: words.removeFailed(deviceid),
      run: async () => {
        await api.removeDevice({ path: { DeviceID: deviceid } });
        toasts.show(texts.actions.removed(deviceid), {
          undo: () => api.registerDevice({ body: { deviceid, buttons } }),
        });
      },
    };
  }

  function check(): FieldMessages {
    const problems: Record<string, string> = {};
    const ofNew = problemOfNew();
    if (ofNew !== '') problems['deviceid'] = ofNew;
    if (typedOld.trim() === '' && given === undefined) problems['old'] = texts.locations.alias.noDevice;
    else if (old === undefined) problems['old'] = texts.locations.alias.unknownDevice(typedOld.trim());
    return problems;
  }

  function problemOfNew(): string {
    if (text.trim() === '') return texts.locations.alias.noDevice;
    if (chosen === undefined) return words.unknownNew(text.trim());
    if (chosen === old) return words.same;
    return (next?.commands.length ?? 0) > 0 ? words.hasWork(chosen) : '';
  }

  return (
    <FormDialog
      title={given === undefined ? words.titleAny : words.title(oldName)}
      submit={words.submit}
      working={words.submitting}
      draft={[text, typedOld]}
      check={check}
      save={save}
      problemsOf={(error) => problemsOf(error, FIELDS, words.failed)}
      onClose={close}
    >
      <p>{given === undefined ? words.leadAny : words.lead(given)}</p>
      <PressToFind pressed={isPressed ? (next === undefined ? pressed.deviceid : nameOf(next)) : undefined} />
      <PlaceField
        chooses="device"
        key={`new ${turn}`}
        name="deviceid"
        label={words.device}
        placeholder={words.placeholder}
        value={text}
        onChange={setText}
        refused={refused}
        autoFocus={!isPressed || given !== undefined}
      />
      {chosen !== undefined && chosen !== old && (
        <div className={lost.length > 0 ? parts.care : undefined}>
          {next === undefined && <p>{words.waits}</p>}
          {lost.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
          {next !== undefined && lost.length === 0 && <p>{words.free}</p>}
        </div>
      )}
      {given === undefined && (
        <PlaceField
          chooses="device"
          key={`old ${turn}`}
          name="old"
          label={words.old}
          placeholder={words.oldPlaceholder}
          value={typedOld}
          onChange={setTypedOld}
          autoFocus={isPressed}
        />
      )}
      {old !== undefined && <Moves lines={whatMoves(station, old)} />}
    </FormDialog>
  );
}

/** Lists what the new device takes over. */
function Moves({ lines }: { lines: readonly string[] }) {
  return (
    <div className={`${parts.panel} ${styles.moves}`}>
      <p className={parts.medium}>{words.moves}</p>
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </div>
  );
}

/** Returns the text for a device. For a device that is waiting to be added, which has no name yet, this is the DeviceID. */
function textOf(places: readonly NamedDevice[], deviceid: string): string {
  const place = places.find((each) => each.deviceid === deviceid);
  return place === undefined ? deviceid : choiceText(place);
}

function waitingNamed(waiting: readonly WaitingDevice[], typed: string): string | undefined {
  return waiting.find(({ deviceid }) => deviceid.toLowerCase() === typed.trim().toLowerCase())?.deviceid;
}

/** Asks for a press on a device and shows which device was pressed. */
function PressToFind({ pressed }: { pressed: string | undefined }) {
  const words = texts.replace;
  const Icon = pressed === undefined ? Pointer : Check;
  return (
    <div className={own.place} data-pressed={pressed !== undefined || undefined} role="status">
      <Icon size={22} aria-hidden="true" />
      <div>
        <p className={parts.strong}>{pressed === undefined ? words.press : words.pressed(pressed)}</p>
        <p className={parts.quiet}>{pressed === undefined ? words.pressHint : words.pressedHint}</p>
      </div>
    </div>
  );
}

const NAMES_SAID = 3;
/** Lists what moves to the replacement, one line each. */
function whatMoves(station: Station, deviceid: string): string[] {
  const device = findDevice(station.devices, deviceid);
  const label = device?.locationoverride ?? '';
  const names = aliasesOf(station, deviceid);
  const cell = cellOf(station, deviceid);
  const open = device?.commands.length ?? 0;
  return [
    ...(names.length === 0 ? [] : [words.aliases(names.slice(0, NAMES_SAID), Math.max(0, names.length - NAMES_SAID))]),
    label === '' ? words.noLabel : words.label(label),
    ...(cell === '' ? [] : [words.place(cell)]),
    ...(open === 0 ? [] : [words.work(open)]),
    words.settings,
  ];
}

/** Lists what happens to the replacement's current place; empty if it has none. */
function whatIsLost(station: Station, deviceid: string): string[] {
  const label = findDevice(station.devices, deviceid)?.locationoverride ?? '';
  const cell = cellOf(station, deviceid);
  const aliases = aliasesOf(station, deviceid).length;
  return [
    ...(label === '' ? [] : [words.loses(label)]),
    ...(cell === '' ? [] : [words.losesCell(cell)]),
    ...(aliases === 0 ? [] : [words.keeps(aliases)]),
  ];
}

function aliasesOf(station: Station, deviceid: string): string[] {
  return station.aliases.filter((alias) => alias.deviceid === deviceid).map(({ name }) => name);
}

function cellOf({ map }: Station, deviceid: string): string {
  const cell = map.places.find((place) => place.deviceid === deviceid);
  return cell === undefined ? '' : cellWords(map, cell);
}
