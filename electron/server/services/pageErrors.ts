import type { PageError } from '#shared/api/diagnostics.ts';
import type { Clock, Log } from '../ports.ts';

/**
 * Number of errors that are logged without a rate limit. After that, one error is logged per interval, so that a page that keeps crashing
 * cannot fill the log.
 */
const MAX_AT_ONCE = 20;
const EACH_MS = 60_000;
/** Control and format characters, which could mislead a terminal or a reader. Line breaks in stack traces are kept. */
const UNSAFE = /[^\P{C}\n]|[\u2028\u2029]/gu;

/** Writes page errors to the station's log. Any signed-in caller can choose the text, so it is escaped, and the rate is limited. */
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
      log.warn({ err, page: escaped(path), ...(leftOut === 0 ? {} : { left_out: leftOut }) }, 'an error in the page');
      leftOut = 0;
    },
  };
}

export type PageErrors = ReturnType<typeof createPageErrors>;

function escaped(text: string): string {
  return text.replace(UNSAFE, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
