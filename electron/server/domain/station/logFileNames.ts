/** A log file. There is one file per day (UTC), which can have several parts. */
export type LogPart = { name: string; day: string; part: number; bytes: number };

export const LOG_LIMITS = {
  /** Number of days to keep, including today, unless the setting `log_days` says otherwise. */
  days: 14,
  /** The latest days with lines are kept at any age, because the clock may be wrong, or the station was off for a month. */
  latestDays: 3,
  /** Size limits for one part, and for all parts together. */
  partBytes: 4 * 2 ** 20,
  folderBytes: 64 * 2 ** 20,
};

const DAY_MS = 86_400_000;
const NAME = /^pickstation-(\d{4}-\d\d-\d\d)(?:\.([1-9]\d{0,5}))?\.log$/;

/** Returns the day of a log line, in UTC. `at` is in epoch milliseconds. */
export function logDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

export function logName(day: string, part: number): string {
  return `pickstation-${day}${part === 1 ? '' : `.${part}`}.log`;
}

/** Parses a file name. Returns undefined if it is not the name of one of the station's log files. */
export function parseLogName(name: string): Pick<LogPart, 'name' | 'day' | 'part'> | undefined {
  const [, day, part = '1'] = NAME.exec(name) ?? [];
  return day === undefined ? undefined : { name, day, part: Number(part) };
}

export function inOrder(parts: readonly LogPart[]): LogPart[] {
  return parts.toSorted((one, other) => (one.day < other.day ? -1 : one.day > other.day ? 1 : one.part - other.part));
}

/**
 * Selects parts to delete: first those of days that are too old; then, until `current` can grow to a full part, the oldest parts of the
 * largest day. A day's first part, which shows how the day began, is deleted after its other parts. This way, a flood of lines does not
 * displace other days.
 */
export function surplusParts(parts: readonly LogPart[], now: number, current: string, limits = LOG_LIMITS): LogPart[] {
  const sorted = inOrder(parts.filter(({ name }) => name !== current));
  const latest = [...new Set(inOrder(parts).map(({ day }) => day))].slice(-limits.latestDays);
  const firstDay = Number.isFinite(limits.days) ? logDay(now - (limits.days - 1) * DAY_MS) : '';
  const old = sorted.filter(({ day }) => day < firstDay && !latest.includes(day));
  const kept = sorted.filter((part) => !old.includes(part));
  const surplus = [...old];
  while (bytesOf(kept) > limits.folderBytes - limits.partBytes) {
    const days = [...Map.groupBy(kept, ({ day }) => day).values()];
    const largest = days.reduce((one, other) => (bytesOf(other) > bytesOf(one) ? other : one));
    const [first, second = first] = largest;
    if (second === undefined) break;
    surplus.push(second);
    kept.splice(kept.indexOf(second), 1);
  }
  return surplus;
}

function bytesOf(parts: readonly LogPart[]): number {
  return parts.reduce((bytes, part) => bytes + part.bytes, 0);
}
