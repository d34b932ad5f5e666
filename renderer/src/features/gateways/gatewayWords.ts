import { compareNames, countText } from '#shared/lib/text/locale.ts';
import type { Turbo, TurboLink } from '#shared/api/turbo.ts';
import { timeText } from '../../words/formats.ts';

/** A card on the page: a turbo with its port, if any, or a port without a turbo. */
export type Radio = { kind: 'turbo'; turbo: Turbo; link: TurboLink | undefined } | { kind: 'link'; link: TurboLink };

/** Returns the turbos sorted by name, each with its port, followed by the ports without a turbo. */
export function joinLinks(turbos: readonly Turbo[], links: readonly TurboLink[]): Radio[] {
  const left = new Set(links);
  const known = turbos
    .toSorted((a, b) => compareNames(nameOf(a), nameOf(b)))
    .map((turbo): Radio => {
      const link = links.find((one) => isOf(one, turbo));
      if (link !== undefined) left.delete(link);
      return { kind: 'turbo', turbo, link };
    });
  return [...known, ...[...left].map((link): Radio => ({ kind: 'link', link }))];
}

export function nameOf({ name, serial_number }: Turbo): string {
  return name === '' ? serial_number : name;
}

/**
 * Whether a turbo belongs to a link. An offline turbo belongs to the link through which it last reported, unless
 * another turbo uses that link now.
 */
function isOf({ turbo: serial, kind, path }: TurboLink, turbo: Turbo): boolean {
  if (serial !== null) return serial === turbo.serial_number;
  return turbo.transport === kind && turbo.status !== 'online' && turbo.port === path;
}

/** Formats a number of bytes, such as `512 B`, `4.2 kB` or `1.3 MB`. */
export function bytesWords(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  const [size, unit] = bytes < 1_000_000 ? [bytes / 1_000, 'kB'] : [bytes / 1_000_000, 'MB'];
  return `${size < 10 ? size.toFixed(1) : countText(Math.round(size))} ${unit}`;
}

/** Formats a part of a whole as a percentage, such as `0 %`, `0.3 %` or `12 %`. */
export function shareWords(part: number, all: number): string {
  const percent = all === 0 ? 0 : (part / all) * 100;
  return `${percent === 0 || percent >= 10 ? Math.round(percent) : percent.toFixed(1)} %`;
}

/** Formats the time of day in the shop, such as `14:30:05.120`. */
export function clockWords(at: string): string {
  const date = new Date(at);
  const time = timeText('seconds', date);
  return `${time}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}
