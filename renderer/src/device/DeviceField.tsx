import { ChevronDown } from 'lucide-react';
import { useMemo } from 'react';
import { Button, ComboBox, Group, Input, ListBox, ListBoxItem, Popover } from 'react-aria-components';
import { useStationState } from '../station/context.ts';
import fields from '../ui/fields.module.css';
import { FieldLabel } from '../ui/fields.tsx';
import { useProblem } from '../ui/ProblemForm.tsx';
import styles from './DeviceField.module.css';
import { findDevices } from './deviceChoices.ts';

type Props = {
  name: string;
  label: string;
  placeholder: string;
  /** What is typed. */
  value: string;
  onChange(typed: string): void;
  /** Devices that cannot be chosen, and why. */
  refused?: ReadonlyMap<string, string>;
  autoFocus?: boolean;
};

const NONE: ReadonlyMap<string, string> = new Map();

/** A device, found by its label, its place on the map or its DeviceID. */
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
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog was opened to choose it */}
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
              <span className={styles.words}>{text}</span>
              <span className={styles.note}>{refused.get(deviceid) ?? note}</span>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}
