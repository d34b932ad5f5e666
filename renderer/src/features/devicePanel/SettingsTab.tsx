import type { Device, DeviceRequest } from '#shared/api/device.ts';
import { useDenied, useRight, useStationContext } from '../../station/context.ts';
import { LineField } from '../../ui/fields.tsx';
import { NumberLine, readWhole } from '../../ui/NumberLine.tsx';
import parts from '../../ui/parts.module.css';
import { texts } from '../../ui/texts.ts';
import { ConcurrentEditNotice, EditorForm } from './EditorForm.tsx';
import { SimulatedHardware } from './SimulatedHardware.tsx';
import { useFields } from './useFields.ts';

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
        title={texts.deviceSettings.title}
        fields={fields}
        problems={isPercent ? {} : { brightness: texts.deviceSettings.percent }}
        obstacle={obstacle}
        submitWords={texts.deviceSettings.save}
        failed={texts.deviceSettings.failed}
        send={async (changed) => (await api.send(device.deviceid, changesOf(changed))).warnings}
      >
        <div>
          <LineField
            {...field('locationoverride', texts.deviceSettings.label)}
            hint={texts.deviceSettings.labelHint}
            autoComplete="off"
          />
          {meanwhile('locationoverride', texts.deviceSettings.label)}
        </div>
        <div>
          <NumberLine
            {...field('brightness', texts.deviceSettings.brightness)}
            hint={texts.deviceSettings.brightnessHint}
            step={10}
            most={FULL}
          />
          {meanwhile('brightness', texts.deviceSettings.brightness)}
        </div>
        <div>
          <LineField
            {...field('unsolicitedNonce', texts.deviceSettings.unsolicitedNonce)}
            help={texts.deviceSettings.unsolicitedHint}
            autoComplete="off"
          />
          {meanwhile('unsolicitedNonce', texts.deviceSettings.unsolicitedNonce)}
        </div>
      </EditorForm>
      {device.can_press && maySimulate && <SimulatedHardware device={device} obstacle={obstacle} />}
    </div>
  );
}
