import styles from './Filters.module.css';
import { Segments } from './Segments.tsx';

export type FilterProps<Filter extends string> = {
  filters: readonly Filter[];
  /** How many each leaves. */
  counts: Readonly<Record<Filter, number>>;
  value: Filter;
  onChange(filter: NoInfer<Filter>): void;
};

type Props<Filter extends string> = FilterProps<Filter> & { label: string; words: Readonly<Record<Filter, string>> };

/** Which of them are shown: filters by their name, and how many each leaves. */
export function Filters<Filter extends string>({ filters, words, counts, ...segments }: Props<Filter>) {
  return (
    <Segments
      {...segments}
      choices={filters.map((id) => ({
        id,
        words: (
          <>
            {words[id]} <span className={styles.count}>{counts[id].toLocaleString('en')}</span>
          </>
        ),
      }))}
    />
  );
}
