import type { Device, DeviceRequest } from '#shared/api/device.ts';
import { cutLine, isTooLong } from '#shared/lib/text.ts';
import { ARROWS, type ScreenContent } from '#shared/screen/content.ts';
import { readLineEncoding } from '#shared/screen/lineEncoding.ts';
import { useStationContext } from '../../station/context.ts';
import { LineField } from '../../ui/fields.tsx';
import { texts } from '../../ui/texts.ts';
import { ArrowField } from './ArrowField.tsx';
import { readWhole } from './commandDraft.ts';
import { EditorForm } from './EditorForm.tsx';
import styles from './EditorForm.module.css';
import { Meanwhile } from './Meanwhile.tsx';
import { NumberLine } from './NumberLine.tsx';
import { useMayControl } from './obstacle.ts';
import { ScreenPreview } from './ScreenPreview.tsx';
import { useFields } from './useFields.ts';

// Their names only: the schemas of the API would be most of the script.
const STATIC_FIELDS = ['statica', 'staticb', 'staticc', 'staticd', 'statice'] as const;
type StaticField = (typeof STATIC_FIELDS)[number] | 'quantity' | 'arrow' | 'barcode' | 'qrcode';
type Values = Readonly<Record<StaticField, string>>;

const LABELS: Record<StaticField, string> = {
  ...texts.statics.lines,
  quantity: texts.form.quantity,
  arrow: texts.form.arrow,
  barcode: texts.form.barcode,
  qrcode: texts.form.qrcode,
};

/** What a device shows while nothing is lit: edited with a preview; an emptied field is cleared. */
export function StaticsTab({ device, obstacle }: { device: Device; obstacle: string }) {
  const { api } = useStationContext();
  const mayControl = useMayControl();
  const fields = useFields<StaticField>(`statics ${device.deviceid}`, staticsOf(device));
  const { values, theirs, set } = fields;
  if (!mayControl) return <p className={styles.quiet}>{texts.statics.readOnly}</p>;

  const problems: Record<string, string> = {};
  if (values.quantity.trim() !== '' && readWhole(values.quantity) === undefined) {
    problems['quantity'] = texts.form.wholeNumber;
  }
  const meanwhile = (field: StaticField) => (
    <Meanwhile
      label={LABELS[field]}
      theirs={field === 'arrow' ? arrowWords(theirs.arrow) : theirs[field]}
      take={() => fields.forget([field])}
    />
  );
  const line = (field: StaticField) => (
    <div key={field}>
      <LineField
        name={field}
        label={LABELS[field]}
        value={values[field]}
        onChange={(text) => set(field, text)}
        autoComplete="off"
      />
      {meanwhile(field)}
    </div>
  );

  return (
    <EditorForm
      title={texts.statics.title}
      fields={fields}
      problems={problems}
      obstacle={obstacle}
      submitWords={texts.statics.save}
      failed={texts.statics.failed}
      send={async (changed) => (await api.send(device.deviceid, changesOf(values, changed))).warnings}
    >
      <ScreenPreview
        caption={texts.statics.preview}
        screen={screenOf(values, device)}
        device={device}
        hints={hintsOf(values)}
      />
      {STATIC_FIELDS.map(line)}
      <div className={styles.pair}>
        <div>
          <NumberLine
            name="quantity"
            label={LABELS.quantity}
            value={values.quantity}
            onChange={(text) => set('quantity', text)}
          />
          {meanwhile('quantity')}
        </div>
        <div>
          <ArrowField
            value={ARROWS.find((arrow) => arrow === values.arrow) ?? ''}
            onChange={(arrow) => set('arrow', arrow)}
          />
          {meanwhile('arrow')}
        </div>
        {line('barcode')}
        {line('qrcode')}
      </div>
    </EditorForm>
  );
}

function staticsOf(device: Device): Values {
  const { statica, staticb, staticc, staticd, statice, barcode, qrcode } = device;
  const lines = { statica, staticb, staticc, staticd, statice };
  return { ...lines, barcode, qrcode, quantity: String(device.quantity ?? ''), arrow: device.arrow ?? '' };
}

function changesOf(values: Values, changed: readonly StaticField[]): DeviceRequest {
  const request: DeviceRequest = {};
  for (const field of changed) {
    if (field === 'quantity') request.quantity = readWhole(values.quantity) ?? null;
    else request[field] = values[field];
  }
  return request;
}

/** As the station makes it: codes in lines are read, lines are cut. */
function screenOf(values: Values, device: Device): ScreenContent {
  const codes = { barcode: values.barcode, qrcode: values.qrcode, icon: device.icon };
  const lines = STATIC_FIELDS.map((field) => {
    const encoded = readLineEncoding(values[field]);
    if (encoded === undefined) return cutLine(values[field]);
    codes[encoded.element] = encoded.text;
    return '';
  });
  while (lines.at(-1) === '') lines.pop();
  const quantity = readWhole(values.quantity) ?? null;
  const arrow = ARROWS.find((each) => each === values.arrow) ?? null;
  return { label: device.locationoverride, lines, quantity, arrow, ...codes };
}

function hintsOf(values: Values): string[] {
  const cut = STATIC_FIELDS.filter(
    (field) => readLineEncoding(values[field]) === undefined && isTooLong(values[field]),
  );
  return cut.length === 0 ? [] : [texts.form.cut(cut.map((field) => LABELS[field]).join(', '))];
}

function arrowWords(theirs: string | undefined): string | undefined {
  const arrow = ARROWS.find((each) => each === theirs);
  return arrow === undefined ? theirs : texts.arrows[arrow];
}
