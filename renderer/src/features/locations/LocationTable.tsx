import { DataTable } from '../../ui/DataTable.tsx';
import { texts } from '../../ui/texts.ts';
import type { LocationActions } from './actions.ts';
import { LocationLine } from './LocationLine.tsx';
import type { LocationRow, Sort } from './locationRows.ts';
import styles from './LocationTable.module.css';

const ROW_HEIGHT = 60;
const HEADINGS = (['place', 'device', 'deviceIs', 'kind'] as const satisfies readonly Sort['by'][]).map((by) => ({
  by,
  words: texts.locations.columns[by],
  className: styles[by] ?? '',
}));

type Props = {
  rows: readonly LocationRow[];
  sort: Sort;
  onSort(sort: Sort): void;
  chosen: ReadonlySet<string>;
  choose(keys: readonly string[], isChosen: boolean): void;
  actions: LocationActions;
};

/** Places and their devices, a line each. */
export function LocationTable(props: Props) {
  return (
    <DataTable
      {...props}
      label={texts.locations.table}
      rowHeight={ROW_HEIGHT}
      columns={styles.columns ?? ''}
      headings={HEADINGS}
      checkOf={checkOf}
      chooseAllWords={texts.locations.selectAll}
      line={LocationLine}
    />
  );
}

/** What has no name has no label to print. */
function checkOf({ kind, name }: LocationRow): string | undefined {
  return kind === 'none' ? undefined : texts.locations.select(name);
}
