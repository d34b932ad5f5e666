import { ArrowUp } from 'lucide-react';
import { ARROWS, type Arrow } from '#shared/screen/content.ts';
import { ChoiceField, type Choice } from '../../ui/choiceFields.tsx';
import { texts } from '../../ui/texts.ts';

const NO_ARROW = 'none';

/** Clockwise degrees from up. */
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

const CHOICES: readonly Choice[] = [
  { id: NO_ARROW, text: texts.form.noArrow },
  ...ARROWS.map((arrow) => ({
    id: arrow,
    text: texts.arrows[arrow],
    picture: <ArrowUp size={16} aria-hidden="true" style={{ rotate: `${DEGREES[arrow]}deg` }} />,
  })),
];

/** One of the eight arrows, or none. */
export function ArrowField({ value, onChange }: { value: Arrow | ''; onChange(arrow: Arrow | ''): void }) {
  return (
    <ChoiceField
      name="arrow"
      label={texts.form.arrow}
      choices={CHOICES}
      value={value === '' ? NO_ARROW : value}
      onChange={(id) => onChange(ARROWS.find((arrow) => arrow === id) ?? '')}
    />
  );
}
