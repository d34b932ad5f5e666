import type { Api } from './calls/api.ts';

/** Maximum number of errors that a page reports, so that a recurring one does not flood the log. */
const MAX_SENT = 10;
/** Maximum lengths, which must match those in `pageErrorSchema`. */
const LONGEST = { message: 500, stack: 4_000, path: 500 };

/** Browsers report this if a size changes while observers handle another one. The next frame shows the new size. */
const HARMLESS = /^ResizeObserver loop/;

/**
 * Creates a function that reports errors of the page to the station's log. Each message is reported once. Harmless
 * errors and errors that cannot be sent are dropped.
 */
export function createErrorReports(
  api: Pick<Api, 'reportPageError'>,
  pathName: () => string,
): (thrown: unknown) => void {
  const sent = new Set<string>();
  return function report(thrown: unknown): void {
    const { message, stack = '' } = thrown instanceof Error ? thrown : new Error(String(thrown));
    if (sent.size >= MAX_SENT || sent.has(message) || HARMLESS.test(message)) return;
    sent.add(message);
    const body = {
      message: message.slice(0, LONGEST.message),
      stack: stack.slice(0, LONGEST.stack),
      path: pathName().slice(0, LONGEST.path),
    };
    api.reportPageError({ body }).catch(() => undefined);
  };
}
