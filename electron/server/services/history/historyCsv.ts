import type { HistoryEntry } from '#shared/api/history.ts';
import { BYTE_ORDER_MARK, csvLines, harmless } from '#shared/lib/tables/cells/csv.ts';

type Cell = string | number;

/** Columns in order, each with its name and a function that returns the cell. */
const COLUMNS: readonly (readonly [name: string, cell: (entry: HistoryEntry) => Cell])[] = [
  ['id', ({ id }) => id],
  ['at', ({ at }) => at],
  ['kind', ({ kind }) => kind],
  ['deviceid', ({ deviceid }) => deviceid],
  ['location', ({ location }) => location],
  ['order_number', ({ order_number: order }) => order ?? ''],
  ['sequenceid', ({ sequenceid }) => sequenceid ?? ''],
  ['command_id', ({ command_id: id }) => id ?? ''],
  ['nonce', ({ nonce }) => nonce],
  ['command', ({ command }) => command ?? ''],
  ['lines', ({ lines }) => lines.join(' | ')],
  ['color', ({ color }) => color],
  ['quantity', ({ quantity }) => quantity ?? ''],
  ['qty', ({ qty }) => qty],
  ['sender', ({ sender }) => sender],
  ['by', ({ by }) => by],
  ['reason', ({ reason }) => reason],
  ['item', ({ item }) => item?.name ?? ''],
  ['delivery', ({ delivery }) => delivery ?? ''],
  ['sent_at', ({ sent_at: at }) => at ?? ''],
  ['shown_at', ({ shown_at: at }) => at ?? ''],
  ['seconds_to_acknowledge', secondsToAcknowledge],
  ['other_deviceid', ({ other_deviceid: other }) => other ?? ''],
  ['alert', ({ alert }) => alert?.kind ?? ''],
  ['batch', ({ batch }) => batch?.id ?? ''],
  ['slot', ({ batch }) => batch?.slot ?? ''],
];

/** Returns the header line of the CSV file, which starts with a byte order mark. */
export function historyHead(): string {
  return BYTE_ORDER_MARK + csvLines([historyNames]);
}

export const historyNames = COLUMNS.map(([name]) => name);

/** Returns an entry's cells in the order of the columns. Times are in UTC. */
export const historyCells = (entry: HistoryEntry): Cell[] => COLUMNS.map(([, cell]) => cell(entry));

/** Converts entries to lines of the CSV file. */
export function historyLines(entries: readonly HistoryEntry[]): string {
  return csvLines(
    entries.map((entry) => historyCells(entry).map((value) => (typeof value === 'number' ? value : harmless(value)))),
  );
}

function secondsToAcknowledge({ kind, at, shown_at: shownAt }: HistoryEntry): Cell {
  if (kind !== 'acknowledged' || shownAt === null) return '';
  return Math.max(0, Date.parse(at) - Date.parse(shownAt)) / 1_000;
}
