/** `512 B`, `4.2 kB`, `1.3 MB`. */
export function bytesWords(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  const [size, unit] = bytes < 1_000_000 ? [bytes / 1_000, 'kB'] : [bytes / 1_000_000, 'MB'];
  return `${size < 10 ? size.toFixed(1) : Math.round(size).toLocaleString('en')} ${unit}`;
}

/** `0 %`, `0.3 %`, `12 %`. */
export function shareWords(part: number, all: number): string {
  const percent = all === 0 ? 0 : (part / all) * 100;
  return `${percent === 0 || percent >= 10 ? Math.round(percent) : percent.toFixed(1)} %`;
}

/** `14:30:05.120`, in the time of this machine. */
export function clockWords(at: string): string {
  const date = new Date(at);
  const time = date.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
  return `${time}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}
