import type { CommandEntry, Displayed } from '#shared/api/device.ts';
import { parseColor } from '#shared/led/color.ts';
import { originWords } from '../../station/addresses.ts';
import * as texts from '../../words/texts.ts';
import { dotted } from '../../words/dotted.ts';

const MAX_LINES = 2;

/** Returns the lines of a command that are not empty. */
export function linesOf(entry: Pick<CommandEntry, 'line1' | 'line2' | 'line3' | 'line4' | 'line5'>): string[] {
  return [entry.line1, entry.line2, entry.line3, entry.line4, entry.line5].filter((line) => line !== '');
}

/** Formats a command's content in one row, such as `5 × Cable tie 200, black`. */
export function contentWords({ lines, quantity }: { lines: readonly string[]; quantity: number | null }): string {
  const text = lines.slice(0, MAX_LINES).join(', ');
  if (quantity === null) return text === '' ? texts.queue.noContent : text;
  return text === '' ? `${quantity} ×` : `${quantity} × ${text}`;
}

/**
 * Formats the details of a command: its kind, its origin, the location if it is not the device's label, the nonce and
 * the sender.
 */
export function detailWords(entry: CommandEntry, label: string): string {
  return dotted(
    entry.command,
    originWords(entry),
    entry.location === label ? '' : entry.location,
    entry.nonce === '' ? '' : texts.queue.nonce(entry.nonce),
    entry.sender === '' ? '' : texts.queue.from(entry.sender),
  );
}

/** Returns the whole content of a command, one part per line, for the tooltip of a truncated row. */
export function fullWords(entry: CommandEntry, label: string): string[] {
  return [
    entry.quantity === null ? '' : contentWords({ lines: [], quantity: entry.quantity }),
    ...linesOf(entry),
    entry.barcode === '' ? '' : texts.queue.barcode(entry.barcode),
    entry.qrcode === '' ? '' : texts.queue.qrcode(entry.qrcode),
    entry.sound === '' ? '' : texts.queue.sound(entry.sound),
    detailWords(entry, label),
    texts.queue.seconds(entry.seconds),
  ].filter((line) => line !== '');
}

export function ledOf(command: 'flash' | 'pick' | null, color: string): Displayed['led'] {
  const parsed = parseColor(color);
  return {
    mode: command === 'flash' ? 'blink' : 'steady',
    hex: parsed?.hex ?? '#808080',
    letter: parsed?.letter ?? '',
  };
}
