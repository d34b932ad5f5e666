import type { BulkResult } from '#shared/api/device.ts';
import type { BulkOutcome } from '../kit/list/bulkRun.ts';
import type { AddressedRequest } from '../station/calls/api.ts';
import { sentenceOf } from '../words/apiError.ts';
import * as texts from '../words/texts.ts';

/** The failure of one device. */
export type BulkFailure = { name: string; words: string };

const MAX_SAID = 4;

/** Summarizes failures: how many devices failed, out of how many, the first few failures, and the number of further failures. */
export function failureWords(failures: readonly BulkFailure[], all: number): string {
  const said = failures.slice(0, MAX_SAID).map(({ name, words }) => texts.choose.failure(name, words));
  const more = failures.length > MAX_SAID ? [texts.choose.more(failures.length - MAX_SAID)] : [];
  return [texts.choose.someFailed(failures.length, all), ...said, ...more].join(' ');
}

type Send = (requests: readonly AddressedRequest[]) => Promise<readonly BulkResult[]>;

/** Number of requests per part. Small enough that presses are not delayed and progress is visible. */
const PART = 100;

/**
 * Sends one request per device, in parts, until all are done, a part fails, or `isCancelled` returns true. Parts that
 * have already been sent are not undone.
 */
export async function sendInParts(
  requests: readonly AddressedRequest[],
  send: Send,
  progress: (done: number) => void,
  isCancelled: () => boolean,
): Promise<BulkOutcome> {
  const done: string[] = [];
  const failed: BulkOutcome['failed'][number][] = [];
  let sent = 0;
  while (sent < requests.length && !isCancelled()) {
    const part = requests.slice(sent, sent + PART);
    sent += part.length;
    try {
      const results = await send(part);
      for (const [index, { deviceid }] of part.entries()) {
        const { status = 0, detail } = results[index] ?? {};
        if (status === 200) done.push(deviceid);
        else failed.push({ key: deviceid, words: detail ?? texts.failure.other });
      }
    } catch (error) {
      for (const { deviceid } of part) failed.push({ key: deviceid, words: sentenceOf(error) });
      break;
    }
    progress(sent);
  }
  return { done, failed, left: requests.slice(sent).map(({ deviceid }) => deviceid) };
}
