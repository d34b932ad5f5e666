import { DataTable } from '../../ui/DataTable.tsx';
import { texts } from '../../ui/texts.ts';
import type { DeviceActions } from './actions.ts';
import { DeviceLine } from './DeviceLine.tsx';
import { COLUMNS, type DeviceRow, type DeviceSort } from './deviceRows.ts';
import styles from './DeviceTable.module.css';

const ROW_HEIGHT = 60;
const HEADINGS = COLUMNS.map((by) => ({ by, words: texts.devices.columns[by], className: styles[by] ?? '' }));

type Props = {
  rows: readonly DeviceRow[];
  sort: DeviceSort;
  onSort(sort: DeviceSort): void;
  chosen: ReadonlySet<string>;
  choose(keys: readonly string[], isChosen: boolean): void;
  /** Whether this person may do anything with what is chosen. */
  mayChoose: boolean;
  actions: DeviceActions;
};

/** Devices and how they are, a line each. */
export function DeviceTable({ mayChoose, ...table }: Props) {
  return (
    <DataTable
      {...table}
      label={texts.devices.table}
      rowHeight={ROW_HEIGHT}
      columns={styles.columns ?? ''}
      headings={HEADINGS}
      checkOf={mayChoose ? checkOf : nothing}
      chooseAllWords={texts.devices.selectAll}
      line={DeviceLine}
    />
  );
}

const checkOf = ({ name }: DeviceRow): string => texts.devices.select(name);
const nothing = (): undefined => undefined;
