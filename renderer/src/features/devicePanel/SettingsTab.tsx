import type { Device, DeviceRequest } from '#shared/api/device.ts';
import { useDenied, useRight, useStationContext } from '../../station/context.ts';
import { LineField } from '../../ui/fields.tsx';
import { NumberLine, readWhole } from '../../ui/NumberLine.tsx';
import parts from '../../ui/parts.module.css';
import { texts } from '../../ui/texts.ts';
import { ConcurrentEditNotice, EditorForm } from './EditorForm.tsx';
import { SimulatedHardware } from './SimulatedHardware.tsx';
import { useFields } from './useFields.ts';

const words = texts.deviceSettings;

type SettingField = 'locationoverride' | 'brightness' | 'unsolicitedNonce';
const FULL = 100;

/** What a device is called and how it behaves; of a simulated one, also what its hardware does. */
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
  if (denied !== undefined) return <p className={parts.quiet}>{denied}</p>;

  const brightness = readWhole(values.brightness);
  const isPercent = brightness !== undefined && brightness <= FULL;
  const field = (name: SettingField, label: string) => ({
    name,
    label,
    value: values[name],
    onChange: (text: string) => set(name, text),
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

  return (
    <div className={parts.column5}>
      <EditorForm
        title={words.title}
        fields={fields}
        problems={isPercent ? {} : { brightness: words.percent }}
        obstacle={obstacle}
        submitWords={words.save}
        failed={words.failed}
        send={async (changed) => (await api.send(device.deviceid, changesOf(changed))).warnings}
      >
        <div>
          <LineField {...field('locationoverride', words.label)} hint={words.labelHint} autoComplete="off" />
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
