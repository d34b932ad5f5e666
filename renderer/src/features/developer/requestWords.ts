import type { LoggedExchange, LoggedRequest } from '#shared/api/requestLog.ts';
import type { Ask } from '../../kit/code/curlLine.ts';
import * as texts from '../../words/texts.ts';

const words = texts.developer;

export type StatusTone = 'good' | 'refused' | 'broken' | 'gone';

export function toneOf(status: number | null): StatusTone {
  if (status === null) return 'gone';
  if (status >= 500) return 'broken';
  return status >= 400 ? 'refused' : 'good';
}

/** Returns the HTTP status, such as `403`, or a note that the caller disconnected. */
export function statusText(status: number | null): string {
  return status === null ? words.noAnswer : String(status);
}

/** Returns the outcome in words, such as `Not allowed`. Empty if the request succeeded. */
export function outcomeWords({ status, code }: Pick<LoggedRequest, 'status' | 'code'>): string {
  if (status === null) return words.noAnswerLong;
  return status < 400 ? '' : (words.statusWords[status] ?? code);
}

/** Returns a request that repeats the logged one, and a hint about what has to be filled in. */
export function askOf({ method, path, accept, request }: LoggedExchange, origin: string): { ask: Ask; hint: string } {
  const isWhole = request.kept === 'whole';
  const body = isWhole && request.text !== null ? request.text : request.kept === 'none' ? undefined : '@body.txt';
  const headers = [
    `API-KEY: ${texts.curl.key}`,
    ...(body === undefined || request.content_type === '' ? [] : [`content-type: ${request.content_type}`]),
    ...(accept === '' || accept === '*/*' ? [] : [`accept: ${accept}`]),
  ];
  const isHidden = path.includes('***') || body?.includes('***') === true;
  const hint =
    body !== undefined && !isWhole ? words.open.fileHint : isHidden ? words.open.hiddenHint : words.open.keyHint;
  return { ask: { method, url: `${origin}${path}`, headers, body }, hint };
}
