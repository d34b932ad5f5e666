import { useMemo } from 'react';
import { useStationState } from '../../station/context.ts';
import { SuggestionField } from '../../kit/field/choiceFields.tsx';

type Props = { name: string; label: string; value: string; onChange(text: string): void; autoFocus?: boolean };

const NO_ALIASES: readonly never[] = [];
/** Maximum number of suggestions. Typing more narrows the list. */
const MAX = 30;

/** A field for a place: the name of a device or alias, or a DeviceID. Unknown names are allowed. */
export function PlaceInput({ name, label, value, onChange, autoFocus = false }: Props) {
  const places = useStationState((state) => state.places);
  const aliases = useStationState(({ station }) => station?.aliases ?? NO_ALIASES);
  const choices = useMemo(() => {
    const wanted = value.trim().toLowerCase();
    const names = [...new Set([...places, ...aliases].map((place) => place.name))];
    const isChosen = names.some((each) => each.toLowerCase() === wanted);
    const found = wanted === '' || isChosen ? names : names.filter((each) => each.toLowerCase().includes(wanted));
    return found.slice(0, MAX).map((text) => ({ id: text, text }));
  }, [places, aliases, value]);
  return (
    <SuggestionField
      name={name}
      label={label}
      choices={choices}
      value={value}
      onChange={onChange}
      autoFocus={autoFocus}
    />
  );
}
