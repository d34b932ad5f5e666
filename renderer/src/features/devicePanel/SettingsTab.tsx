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
            name="locationoverride"
            label={texts.deviceSettings.label}
            hint={texts.deviceSettings.labelHint}
            value={values.locationoverride}
            onChange={(text) => set('locationoverride', text)}
            autoComplete="off"
          />
          {meanwhile('locationoverride', texts.deviceSettings.label)}
        </div>
        <div>
          <NumberLine
            name="brightness"
            label={texts.deviceSettings.brightness}
            hint={texts.deviceSettings.brightnessHint}
            value={values.brightness}
            onChange={(text) => set('brightness', text)}
            step={10}
            most={FULL}
          />
          {meanwhile('brightness', texts.deviceSettings.brightness)}
        </div>
        <div>
          <LineField
            name="unsolicitedNonce"
            label={texts.deviceSettings.unsolicitedNonce}
            help={texts.deviceSettings.unsolicitedHint}
            value={values.unsolicitedNonce}
            onChange={(text) => set('unsolicitedNonce', text)}
            autoComplete="off"
          />
          {meanwhile('unsolicitedNonce', texts.deviceSettings.unsolicitedNonce)}
        </div>
      </EditorForm>
      {device.can_press && maySimulate && <SimulatedHardware device={device} obstacle={obstacle} />}
    </div>
  );
}
