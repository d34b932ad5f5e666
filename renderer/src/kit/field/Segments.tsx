import { countText } from '#shared/lib/text/locale.ts';
import type { ReactNode } from 'react';
import { ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import styles from './Segments.module.css';

export type FilterProps<Filter extends string> = {
  filters: readonly Filter[];
  /** Number of rows for each filter, or undefined if unknown, for example because the list is only partly loaded. */
  counts?: Readonly<Partial<Record<Filter, number | undefined>>>;
  value: Filter;
  onChange(filter: NoInfer<Filter>): void;
};

type Props<Filter extends string> = FilterProps<Filter> & { label: string; words: Readonly<Record<Filter, string>> };

/** Filters of a list, with counts if known. */
export function Filters<Filter extends string>({ filters, words, counts, ...segments }: Props<Filter>) {
  return (
    <Segments
      {...segments}
      choices={filters.map((id) => ({
        id,
        words: (
          <>
            {words[id]}
            <Count of={counts?.[id]} />
          </>
        ),
      }))}
    />
  );
}

function Count({ of }: { of: number | undefined }) {
  return of !== undefined && <span className={styles.count}> {countText(of)}</span>;
}

type SegmentsProps<Id extends string> = {
  label: string;
  choices: readonly { id: NoInfer<Id>; words: ReactNode }[];
  value: Id;
  onChange(id: NoInfer<Id>): void;
  /** Whether to use equal widths, and several lines if necessary. */
  isGrid?: boolean;
};

/** A choice between a few visible options. */
export function Segments<Id extends string>({ label, choices, value, onChange, isGrid = false }: SegmentsProps<Id>) {
  return (
    <ToggleButtonGroup
      className={styles.group ?? ''}
      aria-label={label}
      data-grid={isGrid || undefined}
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
