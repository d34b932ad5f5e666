import { useState } from 'react';
import type { WaitingDevice } from '#shared/api/device.ts';
import { findDevice } from '#shared/api/reducer.ts';
import type { Station } from '#shared/api/station.ts';
import { useStationContext, useStationState } from '../../station/context.ts';
import { nameOf, type Place } from '../../station/places.ts';
import type { Pressed } from '../../station/store.ts';
import { FormDialog, type FieldProblems } from '../../ui/FormDialog.tsx';
import { texts } from '../../ui/texts.ts';
import { useToasts } from '../../ui/toasts.ts';
import { problemsOf } from '../../ui/fieldProblems.ts';
import { DeviceField } from '../../device/DeviceField.tsx';
import { choiceText, deviceNamed } from '../../device/deviceChoices.ts';
import styles from '../../ui/dialogs.module.css';
import { useWaiting } from '../../station/useWaiting.ts';
import { PressToFind } from './PressToFind.tsx';
import { usePressed } from './usePressed.ts';
import { whatIsLost, whatMoves } from './whatMoves.ts';

const FIELDS = new Set(['deviceid']);
const words = texts.replace;

type Props = {
  /** The device that is replaced; undefined: it is chosen here. */
  old?: string;
  close(): void;
};

/** Another device takes the place of one: the new one is pressed or chosen, and what moves to it is said. */
export function ReplaceDialog({ old, close }: Props) {
  const station = useStationState((state) => state.station);
  return station === null ? null : <Open station={station} given={old} close={close} />;
}

type Typed = { text: string; /** The press that it stands for. */ press: Pressed | undefined };

function Open({ station, given, close }: { station: Station; given: string | undefined; close(): void }) {
  const { api } = useStationContext();
  const toasts = useToasts();
  const places = useStationState((state) => state.places);
  const { waiting } = useWaiting();
  const pressed = usePressed();
  const [typed, setTyped] = useState<Typed>({ text: '', press: undefined });
  const [typedOld, setTypedOld] = useState('');
  // A new press takes the place of what was typed, and typing that of a press.
  const isPressed = pressed !== undefined && pressed !== typed.press && pressed.deviceid !== given;
  const text = isPressed ? textOf(places, pressed.deviceid) : typed.text;
  // A text that changes by itself would open the list of a field that has the focus: after a press they begin anew.
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
    if (next === undefined) await api.registerDevice({ deviceid: chosen, buttons: 1 });
    await api.replaceDevice(old, chosen);
    // The way back gives everything to the old one; what the new one had of its own would not come back.
    const undo = lost.length === 0 ? { undo: () => api.replaceDevice(chosen, old) } : {};
    toasts.say(words.done(chosen, oldName), { ...undo, action: removal(old) });
    close();
  }

  /** The old device is blank and of no use where it is broken. */
  function removal(deviceid: string) {
    const buttons = oldDevice?.buttons ?? 1;
    return {
      words: words.removeOld,
      failed: words.removeFailed(deviceid),
      run: async () => {
        await api.removeDevice(deviceid);
        toasts.say(texts.actions.removed(deviceid), { undo: () => api.registerDevice({ deviceid, buttons }) });
      },
    };
  }

  function check(): FieldProblems {
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
      typed={`${text}\n${typedOld}`}
      check={check}
      save={save}
      problemsOf={(error) => problemsOf(error, FIELDS, words.failed)}
      onClose={close}
    >
      <p>{given === undefined ? words.leadAny : words.lead(given)}</p>
      <PressToFind pressed={isPressed ? (next === undefined ? pressed.deviceid : nameOf(next)) : undefined} />
      <DeviceField
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
        <div className={lost.length > 0 ? styles.care : undefined}>
          {next === undefined && <p>{words.waits}</p>}
          {lost.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
          {next !== undefined && lost.length === 0 && <p>{words.free}</p>}
        </div>
      )}
      {given === undefined && (
        <DeviceField
          key={`old ${turn}`}
          name="old"
          label={words.old}
          placeholder={words.oldPlaceholder}
          value={typedOld}
          onChange={setTypedOld}
          autoFocus={isPressed}
        />
      )}
      {old !== undefined && (
        <div className={styles.moves}>
          <p className={styles.caption}>{words.moves}</p>
          <ul>
            {whatMoves(station, old).map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </div>
      )}
    </FormDialog>
  );
}

/** A device that waits has no name yet. */
function textOf(places: readonly Place[], deviceid: string): string {
  const place = places.find((each) => each.deviceid === deviceid);
  return place === undefined ? deviceid : choiceText(place);
}

function waitingNamed(waiting: readonly WaitingDevice[], typed: string): string | undefined {
  return waiting.find(({ deviceid }) => deviceid.toLowerCase() === typed.trim().toLowerCase())?.deviceid;
}
