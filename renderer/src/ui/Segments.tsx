import type { ReactNode } from 'react';
import { ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import styles from './Segments.module.css';

type Props<Id extends string> = {
  label: string;
  choices: readonly { id: NoInfer<Id>; words: ReactNode }[];
  value: Id;
  onChange(id: NoInfer<Id>): void;
};

/** One of a few, all in sight. */
export function Segments<Id extends string>({ label, choices, value, onChange }: Props<Id>) {
  return (
    <ToggleButtonGroup
      className={styles.group ?? ''}
      aria-label={label}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[value]}
      onSelectionChange={(keys) => {
        const next = choices.find(({ id }) => keys.has(id));
        if (next !== undefined) onChange(next.id);
      }}
    >
      {choices.map(({ id, words }) => (
        <ToggleButton key={id} id={id} className={styles.choice ?? ''}>
          {words}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
