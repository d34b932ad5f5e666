import { isThisMachine, sheetUrl } from '#shared/api/addressFields.ts';
import { sheetFileUrl } from '#shared/lib/connections/sheetFileUrl.ts';
import { VERSION } from '#shared/api/version.ts';
import { MAX_FILE_BYTES } from '#shared/api/imports.ts';
import { sheetRefusal } from '../../domain/folders/describeSheetError.ts';
import type { Clock, HttpClient, Sending } from '../../ports.ts';

const LIMIT_MS = 30_000;
/** Maximum number of redirects. Large providers redirect requests for published sheets once or twice. */
const MAX_REDIRECTS = 3;

export type SheetAnswer = { isUnchanged: boolean; body: Uint8Array; etag: string; modified: string };

/**
 * Downloads a sheet. Follows redirects only to https:// addresses, and to this machine only if the original address is on this machine.
 * `tags` are the validators from the last response. Rejects with an Error whose message is for the user, or with a system error.
 */
export function requestSheet(
  { http, clock }: { http: HttpClient; clock: Clock },
  url: string,
  tags: { etag: string; modified: string } | undefined,
): { answer: Promise<SheetAnswer>; giveUp(): void } {
  let sending: Sending | undefined;
  let givenUp: Error | undefined;
  const giveUp = (why: string): void => {
    givenUp ??= new Error(why);
    sending?.giveUp();
  };
  const limit = clock.setTimer(LIMIT_MS, () =>
    giveUp(`The host did not answer completely within ${LIMIT_MS / 1_000} s.`),
  );
  const headers = {
    'user-agent': `Pickstation/${VERSION}`,
    accept: 'text/csv, text/plain;q=0.9, */*;q=0.5',
    'accept-encoding': 'identity',
    ...(tags === undefined || tags.etag === '' ? {} : { 'if-none-match': tags.etag }),
    ...(tags === undefined || tags.modified === '' ? {} : { 'if-modified-since': tags.modified }),
  };

  async function ask(): Promise<SheetAnswer> {
    let at = sheetFileUrl(url);
    for (let redirects = 0; ; redirects += 1) {
      if (givenUp !== undefined) throw givenUp;
      const request = { method: 'GET', url: at, headers, body: undefined, ca: undefined, verify: true } as const;
      sending = http.send({ ...request, wholeUpTo: MAX_FILE_BYTES });
      const { status, headers: answered, body, isWhole } = await sending.answer;
      if (givenUp !== undefined) throw givenUp;
      const location = answered['location'];
      if (status > 300 && status < 304 + 5 && status !== 304 && location !== undefined) {
        if (redirects === MAX_REDIRECTS) throw new Error('The host redirects too often. Check the address.');
        at = redirected(at, location);
        continue;
      }
      const refusal = sheetRefusal(status);
      if (refusal !== '') throw new Error(refusal);
      if (status === 200 && !isWhole) {
        throw new Error(`The sheet is larger than ${MAX_FILE_BYTES / 1024 / 1024} MiB, or its answer was cut off.`);
      }
      const { etag = '', 'last-modified': modified = '' } = answered;
      return { isUnchanged: status === 304, body, etag, modified };
    }
  }

  const answer = ask()
    .catch((error: unknown) => {
      throw givenUp ?? error;
    })
    .finally(() => limit.cancel());
  return { answer, giveUp: () => giveUp('The station is stopping.') };
}

/** Returns the URL to which a redirect leads. Throws an Error with a message for the user if the redirect must not be followed. */
function redirected(from: string, location: string): string {
  const to = URL.parse(location, from);
  const isAllowed = to !== null && sheetUrl.safeParse(to.href).success;
  if (!isAllowed || (isThisMachine(to.hostname) && !isThisMachine(new URL(from).hostname))) {
    throw new Error('The host redirects to an address without https://, or to this machine. Check the address.');
  }
  return to.href;
}
