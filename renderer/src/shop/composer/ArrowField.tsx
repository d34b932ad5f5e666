import { ArrowUp, ChevronDown } from 'lucide-react';
import { Button, Label, ListBox, ListBoxItem, Popover, Select, SelectValue } from 'react-aria-components';
import { ARROWS, type Arrow } from '#shared/screen/content.ts';
import fields from '../../kit/field/fields.module.css';
import { useProblem } from '../../kit/field/ProblemForm.tsx';
import * as texts from '../../words/texts.ts';
import parts from '../../kit/parts.module.css';
import styles from './ArrowField.module.css';

const NO_ARROW = 'none';

/** Directions of the arrows, in degrees clockwise from up. */
const DEGREES: Record<Arrow, number> = {
  top: 0,
  topright: 45,
  right: 90,
  bottomright: 135,
  bottom: 180,
  bottomleft: 225,
  left: 270,
  topleft: 315,
};

/** The arrows by position in the grid, row by row. */
const COMPASS = [
  ...(['topleft', 'top', 'topright', 'left', NO_ARROW] as const),
  ...(['right', 'bottomleft', 'bottom', 'bottomright'] as const),
];

/** A choice of one of the eight arrows, or none. */
export function ArrowField({ value, onChange }: { value: Arrow | ''; onChange(arrow: Arrow | ''): void }) {
  const { isInvalid, error } = useProblem('arrow');
  return (
    <Select
      className={fields.field ?? ''}
      name="arrow"
      value={value === '' ? NO_ARROW : value}
      onChange={(id) => onChange(ARROWS.find((arrow) => arrow === id) ?? '')}
      isInvalid={isInvalid}
      data-field
    >
      <Label className={fields.label ?? ''}>{texts.form.arrow}</Label>
      <Button className={fields.trigger ?? ''}>
        <SelectValue className={`${parts.middle2} ${styles.value}`}>
          {() => (
            <>
              {value !== '' && <Pointer arrow={value} />}
              {value === '' ? texts.form.noArrow : texts.arrows[value]}
            </>
          )}
        </SelectValue>
        <ChevronDown size={16} aria-hidden="true" />
      </Button>
      {error}
      <Popover className={styles.popover ?? ''}>
        <ListBox className={`${parts.stack1} ${styles.compass}`} layout="grid">
          {COMPASS.map((id) => (
            <ListBoxItem
              key={id}
              id={id}
              className={styles.point ?? ''}
              textValue={id === NO_ARROW ? texts.form.noArrow : texts.arrows[id]}
              aria-label={id === NO_ARROW ? texts.form.noArrow : texts.arrows[id]}
            >
              {id === NO_ARROW ? texts.form.noArrow : <Pointer arrow={id} />}
            </ListBoxItem>
          ))}
        </ListBox>
      </Popover>
    </Select>
  );
}

function Pointer({ arrow }: { arrow: Arrow }) {
  return <ArrowUp size={20} aria-hidden="true" style={{ rotate: `${DEGREES[arrow]}deg` }} />;
}
