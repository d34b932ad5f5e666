import type { ImportOptions } from '../../../station/workApi.ts';
import type { Remembered } from '../../../ui/storage.ts';

/** Answers about order files, kept in this browser and reused for files with the same column names. */
export type RememberedAnswers = {
  find(columns: readonly string[]): ImportOptions | undefined;
  /** The last chosen encoding. */
  encoding(): string | undefined;
  save(columns: readonly string[], answers: ImportOptions): void;
};

type Entry = { columns: string; answers: ImportOptions };

const KEY = 'orders.importAnswers';
const MAX_ENTRIES = 20;

export function rememberedAnswers(storage: Remembered): RememberedAnswers {
  const list = (): Entry[] => entriesOf(storage.get(KEY));
  return {
    find: (columns) => list().find((entry) => entry.columns === keyOf(columns))?.answers,
    encoding: () => list().find(({ answers }) => answers.encoding !== undefined)?.answers.encoding,
    save(columns, { columns: fields = {}, decimal, date_order, encoding, order_prefix }) {
      const given = { columns: fields, decimal, date_order, encoding, order_prefix };
      const answers: ImportOptions = Object.fromEntries(
        Object.entries(given).filter(([, value]) => value !== undefined && value !== '' && !isEmpty(value)),
      );
      const key = keyOf(columns);
      const others = list().filter((entry) => entry.columns !== key);
      const entries = isEmpty(answers) ? others : [{ columns: key, answers }, ...others];
      storage.set(KEY, JSON.stringify(entries.slice(0, MAX_ENTRIES)));
    },
  };
}

/** Ignores the order of the columns. */
function keyOf(columns: readonly string[]): string {
  return columns.toSorted().join('\n');
}

function isEmpty(value: object | string): boolean {
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function entriesOf(text: string | null): Entry[] {
  try {
    const read: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(read) ? read.filter(isEntry) : [];
  } catch {
    return [];
  }
}

/** Checks the shape only. The station validates the answers. */
function isEntry(value: unknown): value is Entry {
  return (
    typeof value === 'object' &&
    value !== null &&
    'columns' in value &&
    typeof value.columns === 'string' &&
    'answers' in value &&
    typeof value.answers === 'object' &&
    value.answers !== null
  );
}
