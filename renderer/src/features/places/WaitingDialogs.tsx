import { useState } from 'react';
import { ConfirmDialog } from '../../kit/dialog/Dialog.tsx';
import { FormDialog } from '../../kit/dialog/FormDialog.tsx';
import { type FieldMessages, problemsOf } from '../../kit/field/fieldProblems.ts';
import parts from '../../kit/parts.module.css';
import { useSlotsServed } from '../../shop/device/slotsServed.ts';
import { choiceText, deviceNamed, PlaceField } from '../../shop/place/PlaceField.tsx';
import { usePressed } from '../../shop/replace/usePressed.ts';
import { useServices } from '../../shop/toasts.ts';
import { useStationState } from '../../station/context.ts';
import type { Pressed } from '../../station/live/store.ts';
import { useChangePlaces } from '../../station/useDarkPlaces.ts';
import * as texts from '../../words/texts.ts';
import { articleText, type WaitingRow } from './placeRows.ts';

const FIELDS = new Set(['deviceid']);
const words = texts.places.hang;

/** Hangs a device at a place that waits for one: the device that the person presses or chooses gets the label of the place. */
export function HangDialog({ place, close }: { place: string; close(): void }) {
  const { api, toasts } = useServices();
  const places = useStationState((state) => state.places);
  const slots = useSlotsServed();
  const pressed = usePressed();
  // A new press replaces the typed text, and typing replaces a press.
  const [typed, setTyped] = useState<{ text: string; press: Pressed | undefined }>({ text: '', press: undefined });
  const isPressed = pressed !== undefined && pressed !== typed.press;
  const device = places.find(({ deviceid }) => deviceid === pressed?.deviceid);
  const pressedText = device === undefined ? (pressed?.deviceid ?? '') : choiceText(device);
  const text = isPressed ? pressedText : typed.text;
  const chosen = deviceNamed(places, text);
  const before = places.find(({ deviceid, name }) => deviceid === chosen && name !== deviceid)?.name ?? '';

  async function save(): Promise<void> {
    if (chosen === undefined) return;
    const label = (locationoverride: string) =>
      api.sendToDevice({ path: { DeviceID: chosen }, body: { locationoverride } });
    const { warnings } = await label(place);
    toasts.show([words.done(chosen, place), ...warnings].join(' '), { undo: async () => void (await label(before)) });
    close();
  }

  function check(): FieldMessages {
    if (text.trim() === '') return { deviceid: texts.locations.alias.noDevice };
    return chosen === undefined ? { deviceid: texts.locations.alias.unknownDevice(text.trim()) } : {};
  }

  return (
    <FormDialog
      title={words.title(place)}
      submit={words.submit}
      working={words.submitting}
      draft={text}
      check={check}
      save={save}
      problemsOf={(error) => problemsOf(error, FIELDS, words.failed)}
      onClose={close}
    >
      <p>{words.lead}</p>
      <PlaceField
        chooses="device"
        // Remount after a press: a text that changes by itself would open the list of the focused field.
        key={pressed === undefined ? '' : `${pressed.deviceid} ${pressed.at}`}
        name="deviceid"
        label={texts.locations.alias.device}
        placeholder={texts.replace.placeholder}
        value={text}
        onChange={(next) => {
          if (next !== text) setTyped({ text: next, press: pressed });
        }}
        refused={new Map([...slots.keys()].map((deviceid) => [deviceid, words.slot]))}
        autoFocus={!isPressed}
      />
      <p className={parts.quiet} role="status">
        {before === '' ? '' : words.leaves(before)}
      </p>
    </FormDialog>
  );
}

const SAID = 3;

/** Asks before a place is deleted that articles have. */
export function RemovePlaceDialog({ row: { name, waiting }, close }: { row: WaitingRow; close(): void }) {
  const { api, toasts } = useServices();
  const changePlaces = useChangePlaces();
  const articles = waiting.articles.map(articleText);
  return (
    <ConfirmDialog
      title={texts.places.deletion.title(name)}
      body={texts.places.deletion.body(name, articles.slice(0, SAID), Math.max(0, articles.length - SAID))}
      confirm={texts.places.deletion.confirm}
      danger
      isOpen
      onConfirm={async () => {
        await changePlaces(() => api.removePlace({ path: { name } }));
        toasts.show(texts.places.removed(name));
      }}
      onClose={close}
    />
  );
}
