const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;

/** `812 bytes`, `224 KB`, `1.2 GB`: as file managers have it. */
export function sizeWords(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= 1_000 && unit < UNITS.length - 1) {
    size /= 1_000;
    unit += 1;
  }
  const text = size < 10 && unit > 1 ? size.toFixed(1) : String(Math.round(size));
  return `${text} ${UNITS[unit] ?? ''}`;
}
