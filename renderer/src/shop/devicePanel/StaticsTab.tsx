import { useState } from 'react';
import type { Device, DeviceRequest } from '#shared/api/device.ts';
import { STATIC_FIELDS } from '#shared/lib/requests/deviceFields.ts';
import { ARROWS } from '#shared/screen/content.ts';
import { useDenied } from '../../kit/denied.ts';
import { useStationContext, useStationState } from '../../station/context.ts';
import { assignErrors } from '../../kit/field/fieldProblems.ts';
import { NumberLine } from '../../kit/field/NumberLine.tsx';
import { readWhole } from '../../kit/field/readWhole.ts';
import parts from '../../kit/parts.module.css';
import * as texts from '../../words/texts.ts';
import { ArrowField } from '../composer/ArrowField.tsx';
import { draftProblems } from '../composer/commandDraft.ts';
import { CodeInput, LineInput } from '../composer/CountedFields.tsx';
import { barcodeProblem, readStatics, USUAL_DEFAULTS } from '../composer/readRequest.ts';
import { ScreenPreview } from '../composer/ScreenPreview.tsx';
import { IconField, SignDialog, signName } from '../composer/SignField.tsx';
import styles from './EditorForm.module.css';
import { ConcurrentEditNotice, EditorForm, useFields } from './EditorForm.tsx';

// Only the field names are imported, because the API schemas would be most of the script.
type StaticField = (typeof STATIC_FIELDS)[number] | 'quantity' | 'arrow' | 'icon' | 'barcode' | 'qrcode';
type Values = Readonly<Record<StaticField, string>>;

const FIELDS: ReadonlySet<string> = new Set([...STATIC_FIELDS, 'quantity', 'arrow', 'icon', 'barcode', 'qrcode']);

const LABELS: Record<StaticField, string> = {
  ...texts.statics.lines,
  quantity: texts.form.quantity,
  arrow: texts.form.arrow,
  icon: texts.form.icon,
  barcode: texts.form.barcode,
  qrcode: texts.form.qrcode,
};

/** A tab that edits the idle screen of a device, with a preview. Sending an emptied field clears it. */
export function StaticsTab({ device, obstacle }: { device: Device; obstacle: string }) {
  const { api } = useStationContext();
  const denied = useDenied('edit_labels');
  const fields = useFields<StaticField>(`statics ${device.deviceid}`, staticsOf(device));
  const { values, theirs, set } = fields;
  const defaults = useStationState(({ station }) => station?.defaults);
  const [picking, setPicking] = useState(false);
  if (denied !== undefined) return <p className={parts.quiet}>{denied}</p>;

  const reading = readStatics(requestOf(values), defaults ?? USUAL_DEFAULTS, device.locationoverride);
  const { byField, rest } = assignErrors(reading.errors, FIELDS);
  const problems = { ...byField, ...draftProblems({ quantity: values.quantity, seconds: '' }) };
  if (byField['barcode'] !== undefined) problems['barcode'] = barcodeProblem(values.barcode) || byField['barcode'];
  const meanwhile = (field: StaticField) => (
    <ConcurrentEditNotice
      label={LABELS[field]}
      theirs={theirWords(field, theirs[field])}
      take={() => fields.forget([field])}
    />
  );
  const code = (field: 'barcode' | 'qrcode') => (
    <div key={field}>
      <CodeInput code={field} value={values[field]} onChange={(text) => set({ [field]: text })} />
      {meanwhile(field)}
    </div>
  );
  const line = (field: StaticField) => (
    <div key={field}>
      <LineInput name={field} label={LABELS[field]} value={values[field]} onChange={(text) => set({ [field]: text })} />
      {meanwhile(field)}
    </div>
  );

  return (
    <EditorForm
      title={texts.statics.title}
      fields={fields}
      preview={
        <ScreenPreview
          caption={texts.statics.preview}
          screen={reading.screen}
          device={device}
          light={null}
          warnings={reading.warnings}
          refusal={rest}
        />
      }
      problems={problems}
      refusal={rest}
      obstacle={obstacle}
      submitWords={texts.statics.save}
      failed={texts.statics.failed}
      send={async (changed) =>
        (await api.sendToDevice({ path: { DeviceID: device.deviceid }, body: changesOf(values, changed) })).warnings
      }
    >
      {STATIC_FIELDS.map(line)}
      <div className={styles.pair}>
        <div>
          <NumberLine
            name="quantity"
            label={LABELS.quantity}
            value={values.quantity}
            onChange={(text) => set({ quantity: text })}
          />
          {meanwhile('quantity')}
        </div>
        <div>
          <ArrowField
            value={ARROWS.find((arrow) => arrow === values.arrow) ?? ''}
            onChange={(arrow) => set({ arrow })}
          />
          {meanwhile('arrow')}
        </div>
      </div>
      <div>
        <IconField value={values.icon} pick={() => setPicking(true)} />
        {meanwhile('icon')}
      </div>
      {code('barcode')}
      {code('qrcode')}
      <SignDialog
        isOpen={picking}
        value={values.icon}
        choose={(icon) => set({ icon })}
        close={() => setPicking(false)}
      />
    </EditorForm>
  );
}

function staticsOf(device: Device): Values {
  const { statica, staticb, staticc, staticd, statice, barcode, qrcode, icon } = device;
  const lines = { statica, staticb, staticc, staticd, statice };
  return { ...lines, barcode, qrcode, icon, quantity: String(device.quantity ?? ''), arrow: device.arrow ?? '' };
}

function changesOf(values: Values, changed: readonly StaticField[]): DeviceRequest {
  const request: DeviceRequest = {};
  for (const field of changed) {
    if (field === 'quantity') request.quantity = readWhole(values.quantity) ?? null;
    else request[field] = values[field];
  }
  return request;
}

/** Returns a request that sets all fields of the idle screen. */
function requestOf({ quantity, ...rest }: Values): DeviceRequest {
  return { ...rest, quantity: readWhole(quantity) ?? null };
}

function theirWords(field: StaticField, theirs: string | undefined): string | undefined {
  if (theirs === undefined || theirs === '') return theirs;
  if (field === 'icon') return signName(theirs);
  const arrow = field === 'arrow' ? ARROWS.find((each) => each === theirs) : undefined;
  return arrow === undefined ? theirs : texts.arrows[arrow];
}
