import { useState } from 'react';
import { findDevice } from '#shared/api/reducer.ts';
import type { Station } from '#shared/api/station.ts';
import { useStationContext, useStationState } from '../../station/context.ts';
import { nameOf } from '../../station/places.ts';
import { FormDialog, type FieldProblems } from '../../ui/FormDialog.tsx';
import { texts } from '../../ui/texts.ts';
import { useToasts } from '../../ui/toasts.ts';
import { problemsOf } from '../devicePanel/fieldProblems.ts';
import { cellWords } from '../station/edit/cellWords.ts';
import { DeviceField } from './DeviceField.tsx';
import { deviceNamed } from './deviceChoices.ts';
import styles from './dialogs.module.css';

const FIELDS = new Set(['deviceid']);
const NAMES_SAID = 3;

/** Another device takes the place of this one: which one, and what moves to it. */
export function ReplaceDialog({ deviceid, close }: { deviceid: string; close(): void }) {
  const station = useStationState((state) => state.station);
  return station === null ? null : <Open station={station} deviceid={deviceid} close={close} />;
}

function Open({ station, deviceid, close }: { station: Station; deviceid: string; close(): void }) {
  const { api } = useStationContext();
  const toasts = useToasts();
  const places = useStationState((state) => state.places);
  const [typed, setTyped] = useState('');
  const old = findDevice(station.devices, deviceid);
  const chosen = deviceNamed(places, typed);
  const next = chosen === undefined ? undefined : findDevice(station.devices, chosen);
  const refused = new Map([
    ...station.devices
      .filter(({ commands }) => commands.length > 0)
      .map((device) => [device.deviceid, texts.locations.replace.busy] as const),
    [deviceid, texts.locations.replace.same] as const,
  ]);

  async function save(): Promise<void> {
    if (chosen === undefined) return;
    await api.replaceDevice(deviceid, chosen);
    toasts.say(texts.locations.replace.done(chosen, old === undefined ? deviceid : nameOf(old)));
    close();
  }

  function check(): FieldProblems {
    const problem = problemOf();
    return problem === '' ? {} : { deviceid: problem };
  }

  function problemOf(): string {
    if (typed.trim() === '') return texts.locations.alias.noDevice;
    if (chosen === undefined) return texts.locations.alias.unknownDevice(typed.trim());
    if (chosen === deviceid) return texts.locations.replace.same;
    return (next?.commands.length ?? 0) > 0 ? texts.locations.replace.hasWork(chosen) : '';
  }

  return (
    <FormDialog
      title={texts.locations.replace.title(old === undefined ? deviceid : nameOf(old))}
      submit={texts.locations.replace.submit}
      working={texts.locations.replace.submitting}
      typed={typed}
      check={check}
      save={save}
      problemsOf={(error) => problemsOf(error, FIELDS, texts.locations.replace.failed)}
      onClose={close}
    >
      <p>{texts.locations.replace.lead(deviceid)}</p>
      <DeviceField
        name="deviceid"
        label={texts.locations.replace.device}
        placeholder={texts.locations.replace.placeholder}
        value={typed}
        onChange={setTyped}
        refused={refused}
        autoFocus
      />
      <div className={styles.moves}>
        <p className={styles.caption}>{texts.locations.replace.moves}</p>
        <ul>
          {whatMoves(station, deviceid).map((words) => (
            <li key={words}>{words}</li>
          ))}
        </ul>
      </div>
      {next !== undefined && next.locationoverride !== '' && next.deviceid !== deviceid && (
        <p className={styles.care}>{texts.locations.replace.loses(next.locationoverride)}</p>
      )}
    </FormDialog>
  );
}

function whatMoves(station: Station, deviceid: string): string[] {
  const words = texts.locations.replace;
  const device = findDevice(station.devices, deviceid);
  const label = device?.locationoverride ?? '';
  const names = station.aliases.filter((alias) => alias.deviceid === deviceid).map(({ name }) => name);
  const cell = station.map.places.find((place) => place.deviceid === deviceid);
  const open = device?.commands.length ?? 0;
  return [
    ...(names.length === 0 ? [] : [words.aliases(names.slice(0, NAMES_SAID), Math.max(0, names.length - NAMES_SAID))]),
    label === '' ? words.noLabel : words.label(label),
    ...(cell === undefined ? [] : [words.place(cellWords(station.map, cell))]),
    ...(open === 0 ? [] : [words.work(open)]),
    words.settings,
  ];
}
