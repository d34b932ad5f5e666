import { MapPin } from 'lucide-react';
import { Label, Radio, RadioGroup } from 'react-aria-components';
import { arrowToPlace, DEVICE_IS, type DeviceIs } from '#shared/lib/deviceIs.ts';
import fields from '../../ui/fields.module.css';
import { useProblem } from '../../ui/ProblemForm.tsx';
import { texts } from '../../ui/texts.ts';
import { ArrowPaper } from './ArrowPaper.tsx';
import styles from './PhraseField.module.css';

type Props = { place: string; value: DeviceIs; onChange(value: DeviceIs): void };

/** Rows from the top, the place in the middle. */
const AROUND = [
  'Above and to the Left of',
  'Above',
  'Above and to the Right of',
  'to the Left of',
  'place',
  'to the Right of',
  'Below and to the Left of',
  'Below',
  'Below and to the Right of',
] as const satisfies readonly (DeviceIs | 'place')[];

/** Where a device is, seen from its place: drawn around the place, each with the arrow that it shows there. */
export function PhraseField({ place, value, onChange }: Props) {
  const { isInvalid, error } = useProblem('deviceIs');
  return (
    <RadioGroup
      className={fields.field ?? ''}
      name="deviceIs"
      isInvalid={isInvalid}
      data-field
      value={value}
      onChange={(chosen) => {
        const next = DEVICE_IS.find((each) => each === chosen);
        if (next !== undefined) onChange(next);
      }}
    >
      <Label className={fields.label ?? ''}>{texts.locations.alias.deviceIs}</Label>
      <div className={styles.around}>
        {AROUND.map((each) =>
          each === 'place' ? (
            <div key={each} className={styles.place} aria-hidden="true">
              <MapPin size={18} />
              <span>{place === '' ? texts.locations.alias.place : place}</span>
            </div>
          ) : (
            <Radio key={each} value={each} className={styles.device ?? ''} aria-label={each}>
              <ArrowPaper arrow={arrowToPlace(each)} />
            </Radio>
          ),
        )}
      </div>
      {error}
      <p className={fields.help}>{texts.locations.alias.says(value, texts.arrows[arrowToPlace(value)])}</p>
    </RadioGroup>
  );
}
