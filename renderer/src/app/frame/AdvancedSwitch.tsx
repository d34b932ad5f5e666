import { SwitchField } from '../../kit/field/fields.tsx';
import * as texts from '../../words/texts.ts';

/** Switches advanced pages on and off for this person. */
export function AdvancedSwitch({ isOn, set }: { isOn: boolean; set(isOn: boolean): void }) {
  return <SwitchField label={texts.rail.advanced} value={isOn} onChange={set} />;
}
