import type { PageError } from '#shared/api/diagnostics.ts';
import type { Clock, Log } from '../ports.ts';

/** Logs this many errors at once, then one per interval: a page that keeps crashing must not fill the log. */
const MAX_AT_ONCE = 20;
const EACH_MS = 60_000;
/** Control and format characters, which could mislead a terminal or a reader. A stack keeps its line breaks. */
const UNSAFE = /[^\P{C}\n]|[\u2028\u2029]/gu;

/** Writes errors of the page to the station's log. Any signed-in caller can choose the text, so it is escaped and the rate limited. */
export function createPageErrors({ clock, log }: { clock: Pick<Clock, 'monotonic'>; log: Pick<Log, 'warn'> }) {
  let left = MAX_AT_ONCE;
  let filledMs = clock.monotonic();
  let leftOut = 0;

  function mayLog(): boolean {
    const more = Math.floor((clock.monotonic() - filledMs) / EACH_MS);
    left = Math.min(MAX_AT_ONCE, left + more);
    filledMs += more * EACH_MS;
    if (left < 1) return false;
    left -= 1;
    return true;
  }

  return {
    report({ message, stack, path }: PageError): void {
      if (!mayLog()) {
        leftOut += 1;
        return;
      }
      const err = new Error(escaped(message).replaceAll('\n', ' '));
      err.stack = escaped(stack === '' ? message : stack);
      log.warn({ err, page: escaped(path), ...(leftOut === 0 ? {} : { left_out: leftOut }) }, 'an error of the page');
      leftOut = 0;
    },
  };
}

export type PageErrors = ReturnType<typeof createPageErrors>;

function escaped(text: string): string {
  return text.replace(UNSAFE, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
