import { useState } from 'react';
import type { Device, DeviceRequest } from '#shared/api/device.ts';
import type { SimulatedDeviceEntry } from '#shared/api/simulator.ts';
import { useDenied } from '../../kit/denied.ts';
import { useRight, useStationContext } from '../../station/context.ts';
import { SlowNote } from '../device/SlowNote.tsx';
import { isAmbiguous, LabelMeaning, type LabelChange } from '../place/LabelMeaning.tsx';
import { renamePlace } from '../place/renamePlace.ts';
import { LineField, SwitchField } from '../../kit/field/fields.tsx';
import { NumberLine } from '../../kit/field/NumberLine.tsx';
import { readWhole } from '../../kit/field/readWhole.ts';
import parts from '../../kit/parts.module.css';
import * as texts from '../../words/texts.ts';
import type { SimulatedChange } from '../../station/calls/api.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import { useAct } from '../../useAct.ts';
import { NotLoaded } from '../../kit/feedback/EmptyState.tsx';
import why from '../timeline/LoadedTimeline.module.css';
import { ConcurrentEditNotice, EditorForm, useFields } from './EditorForm.tsx';
import styles from './EditorForm.module.css';

const words = texts.deviceSettings;

type SettingField = 'locationoverride' | 'brightness' | 'unsolicitedNonce';
const FULL = 100;

/** A tab with the label and the behavior of a device and, for a simulated device, its hardware. */
export function SettingsTab({ device, obstacle }: { device: Device; obstacle: string }) {
  const { api } = useStationContext();
  const denied = useDenied('edit_labels');
  const maySimulate = useRight('simulate');
  const fields = useFields<SettingField>(`settings ${device.deviceid}`, {
    locationoverride: device.locationoverride,
    brightness: String(device.brightness),
    unsolicitedNonce: device.unsolicitedNonce,
  });
  const { values, theirs, set } = fields;
  const [meaning, setMeaning] = useState<LabelChange>('');
  if (denied !== undefined) return <p className={parts.quiet}>{denied}</p>;

  const label = values.locationoverride;
  const asks = isAmbiguous(device.locationoverride, label);
  const brightness = readWhole(values.brightness);
  const isPercent = brightness !== undefined && brightness <= FULL;
  const field = (name: SettingField, label: string) => ({
    name,
    label,
    value: values[name],
    onChange: (text: string) => set({ [name]: text }),
  });
  const meanwhile = (field: SettingField, label: string) => (
    <ConcurrentEditNotice label={label} theirs={theirs[field]} take={() => fields.forget([field])} />
  );

  function changesOf(changed: readonly SettingField[]): DeviceRequest {
    const request: DeviceRequest = {};
    for (const field of changed) {
      if (field === 'brightness') request.brightness = brightness ?? FULL;
      else request[field] = values[field];
    }
    return request;
  }

  async function send(changed: readonly SettingField[]): Promise<readonly string[]> {
    const isRenamed = asks && meaning === 'rename' && changed.includes('locationoverride');
    const said = isRenamed ? await renamePlace(api, device.locationoverride, label.trim()) : [];
    setMeaning('');
    const rest = isRenamed ? changed.filter((name) => name !== 'locationoverride') : changed;
    if (rest.length === 0) return said;
    const { warnings } = await api.sendToDevice({ path: { DeviceID: device.deviceid }, body: changesOf(rest) });
    return [...said, ...warnings];
  }

  return (
    <div className={parts.column5}>
      <EditorForm
        title={words.title}
        fields={fields}
        problems={{
          ...(isPercent ? {} : { brightness: words.percent }),
          ...(asks && meaning === '' ? { meaning: texts.locations.meaning.none } : {}),
        }}
        obstacle={obstacle}
        submitWords={words.save}
        failed={words.failed}
        send={send}
      >
        <div>
          <LineField {...field('locationoverride', words.label)} hint={words.labelHint} autoComplete="off" />
          <LabelMeaning before={device.locationoverride} label={label} value={meaning} onChange={setMeaning} />
          <SlowNote device={device} />
          {meanwhile('locationoverride', words.label)}
        </div>
        <div>
          <NumberLine {...field('brightness', words.brightness)} hint={words.brightnessHint} step={10} most={FULL} />
          {meanwhile('brightness', words.brightness)}
        </div>
        <div>
          <LineField
            {...field('unsolicitedNonce', words.unsolicitedNonce)}
            help={words.unsolicitedHint}
            autoComplete="off"
          />
          {meanwhile('unsolicitedNonce', words.unsolicitedNonce)}
        </div>
      </EditorForm>
      {device.can_press && maySimulate && <SimulatedHardware device={device} obstacle={obstacle} />}
    </div>
  );
}

/** Polling interval in milliseconds. Polling is needed because the stream does not report changes to simulated hardware. */
const HARDWARE_MS = 5_000;

/** The simulated hardware: reach, battery, e-paper and worker. */
function SimulatedHardware({ device, obstacle }: { device: Device; obstacle: string }) {
  const { api } = useStationContext();
  const { deviceid } = device;
  const loaded = useStationQuery(
    ['simulatedHardware', deviceid],
    () => api.getSimulatedDevice({ path: { DeviceID: deviceid } }),
    { everyMs: HARDWARE_MS },
  );
  return (
    <section className={`${parts.column5 ?? ''} ${styles.divided ?? ''}`}>
      <div>
        <h3 className={parts.title}>{texts.deviceSettings.simulated}</h3>
        <p className={parts.quiet}>{texts.deviceSettings.simulatedHint}</p>
      </div>
      {loaded.value === undefined ? (
        <NotLoaded of={loaded} className={why.failure} />
      ) : (
        <Hardware key={deviceid} entry={loaded.value} onChanged={loaded.write} obstacle={obstacle} />
      )}
    </section>
  );
}

type HardwareField = 'battery_mv' | 'refresh_ms' | 'press_after_ms';

type HardwareProps = { entry: SimulatedDeviceEntry; onChanged(entry: SimulatedDeviceEntry): void; obstacle: string };

function Hardware({ entry, onChanged, obstacle }: HardwareProps) {
  const { api } = useStationContext();
  const reach = useAct((reachable: boolean) => change({ reachable }), texts.deviceSettings.applyFailed);
  const fields = useFields<HardwareField>(`hardware ${entry.deviceid}`, {
    battery_mv: thousandth(entry.battery_mv, 2),
    refresh_ms: thousandth(entry.refresh_ms, 0),
    press_after_ms: entry.press_after_ms === null ? '' : thousandth(entry.press_after_ms, 0),
  });
  const { values, set } = fields;
  const problems: Record<string, string> = {};
  for (const field of Object.keys(fields.typed) as HardwareField[]) {
    const mayBeEmpty = field === 'press_after_ms';
    if (thousandfold(values[field]) === undefined && !(mayBeEmpty && values[field].trim() === '')) {
      problems[field] = texts.deviceSettings.number;
    }
  }

  async function change(wanted: SimulatedChange): Promise<void> {
    onChanged(await api.changeSimulatedDevice({ path: { DeviceID: entry.deviceid }, body: wanted }));
  }

  function changesOf(changed: readonly HardwareField[]): SimulatedChange {
    const wanted: SimulatedChange = {};
    for (const field of changed) {
      const value = thousandfold(values[field]);
      if (field === 'press_after_ms') wanted.press_after_ms = value ?? null;
      else if (value !== undefined) wanted[field] = value;
    }
    return wanted;
  }

  const line = (field: HardwareField, label: string, help?: string) => (
    <div>
      <LineField
        name={field}
        label={label}
        {...(help === undefined ? {} : { help })}
        value={values[field]}
        onChange={(text) => set({ [field]: text })}
        autoComplete="off"
      />
      <ConcurrentEditNotice label={label} theirs={fields.theirs[field]} take={() => fields.forget([field])} />
    </div>
  );

  return (
    <>
      <SwitchField label={texts.deviceSettings.reachable} value={entry.reachable} onChange={reach.run} />
      <p role="alert" className={why.failure}>
        {reach.status === 'failed' && reach.failure}
      </p>
      <EditorForm
        title={texts.deviceSettings.simulated}
        fields={fields}
        problems={problems}
        obstacle={obstacle}
        submitWords={texts.deviceSettings.apply}
        look="plain"
        failed={texts.deviceSettings.applyFailed}
        send={async (changed) => {
          await change(changesOf(changed));
          return [];
        }}
      >
        {line('battery_mv', texts.deviceSettings.battery)}
        {line('refresh_ms', texts.deviceSettings.refresh, texts.deviceSettings.refreshHint)}
        {line('press_after_ms', texts.deviceSettings.worker, texts.deviceSettings.workerHint)}
      </EditorForm>
    </>
  );
}

function thousandth(value: number, digits: number): string {
  const exact = String(value / 1_000);
  return digits > 0 && (exact.split('.')[1] ?? '').length < digits ? (value / 1_000).toFixed(digits) : exact;
}

/** Parses a decimal number. Returns 1,000 times the number, as a whole number, or undefined if the text is invalid. */
function thousandfold(typed: string): number | undefined {
  return /^\s*\d{1,6}([.,]\d+)?\s*$/.test(typed) ? Math.round(Number(typed.replace(',', '.')) * 1_000) : undefined;
}
