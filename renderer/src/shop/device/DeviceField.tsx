import { ChevronDown } from 'lucide-react';
import { useMemo } from 'react';
import { Button, ComboBox, Group, Input, ListBox, ListBoxItem, Popover } from 'react-aria-components';
import type { StationMap } from '#shared/api/map.ts';
import { useStationState } from '../../station/context.ts';
import { cellWords, meansPlace, placeNames } from '../../station/placeNames.ts';
import type { NamedDevice } from '../../station/places.ts';
import fields from '../../kit/field/fields.module.css';
import { FieldLabel } from '../../kit/field/fields.tsx';
import parts from '../../kit/parts.module.css';
import { useProblem } from '../../kit/field/ProblemForm.tsx';
import styles from './DeviceField.module.css';

type Props = {
  name: string;
  label: string;
  placeholder: string;
  value: string;
  onChange(typed: string): void;
  /** Devices that cannot be chosen, each with the reason. */
  refused?: ReadonlyMap<string, string>;
  autoFocus?: boolean;
};

const NONE: ReadonlyMap<string, string> = new Map();

/** A field that chooses a device by its label, its position on the map or its DeviceID. */
export function DeviceField({ name, label, placeholder, value, onChange, refused = NONE, autoFocus = false }: Props) {
  const { isInvalid, error } = useProblem(name);
  const places = useStationState((state) => state.places);
  const map = useStationState(({ station }) => station?.map);
  const choices = useMemo(
    () =>
      map === undefined ? [] : findDevices(places, map, value).map((choice) => ({ ...choice, id: choice.deviceid })),
    [places, map, value],
  );
  return (
    <ComboBox
      className={fields.field ?? ''}
      name={name}
      isInvalid={isInvalid}
      data-field
      allowsCustomValue
      menuTrigger="input"
      items={choices}
      inputValue={value}
      onInputChange={onChange}
      defaultFilter={() => true}
      disabledKeys={refused.keys()}
    >
      <FieldLabel label={label} />
      <Group className={fields.box ?? ''}>
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog was opened to choose a device */}
        <Input className={fields.input ?? ''} placeholder={placeholder} autoFocus={autoFocus} />
        <Button className={fields.step ?? ''}>
          <ChevronDown size={16} aria-hidden="true" />
        </Button>
      </Group>
      {error}
      <Popover className={fields.popover ?? ''}>
        <ListBox<(typeof choices)[number]> className={fields.list ?? ''}>
          {({ deviceid, text, note }) => (
            <ListBoxItem id={deviceid} textValue={text} className={`${fields.option} ${styles.option}`}>
              <span className={parts.medium}>{text}</span>
              <span className={parts.quiet}>{refused.get(deviceid) ?? note}</span>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}

/** A suggested device. `text` is the content of the field after choosing it; `note` describes its position. */
type DeviceChoice = { deviceid: string; text: string; note: string };

/** Maximum number of suggestions. Typing more narrows the list. */
const MAX = 40;

export function choiceText({ deviceid, name }: NamedDevice): string {
  return name === deviceid ? deviceid : `${name} · ${deviceid}`;
}

/**
 * Returns the first devices that match a text by label, DeviceID or position. If the text is empty or names a chosen
 * device, all devices match.
 */
function findDevices(places: readonly NamedDevice[], map: StationMap, typed: string): readonly DeviceChoice[] {
  const wanted = typed.trim().toLowerCase();
  const isChosen = places.some((place) => choiceText(place).toLowerCase() === wanted);
  const standing = placeNames(map);
  const found =
    wanted === '' || isChosen
      ? places
      : places.filter(
          (place) =>
            choiceText(place).toLowerCase().includes(wanted) || meansPlace(standing.get(place.deviceid), wanted),
        );
  const cells = new Map(map.places.map((cell) => [cell.deviceid, cell]));
  return found.slice(0, MAX).map((place) => {
    const cell = cells.get(place.deviceid);
    const { deviceid } = place;
    return { deviceid, text: choiceText(place), note: cell === undefined ? '' : cellWords(map, cell) };
  });
}

/**
 * Returns the device that a text identifies, as a chosen suggestion, a DeviceID, or a unique label. Returns undefined
 * if there is none.
 */
export function deviceNamed(places: readonly NamedDevice[], typed: string): string | undefined {
  const wanted = typed.trim().toLowerCase();
  const exact = places.find((place) => choiceText(place).toLowerCase() === wanted);
  if (exact !== undefined) return exact.deviceid;
  const named = places.filter(({ deviceid, name }) => [deviceid, name].some((each) => each.toLowerCase() === wanted));
  return named.length === 1 ? named[0]?.deviceid : undefined;
}
