import { describeFault } from '../../domain/callbacks/describeSendError.ts';
import type { Clock, HttpClient } from '../../ports.ts';

/** Time limit for an answer. Hardware that takes longer hangs, or is too busy to light anything. */
const LIMIT_MS = 3_000;

/** Descriptions of connection errors that can occur with any protocol. */
export const CONNECTION_FAULTS = [
  [/^ECONNREFUSED$/, 'Nothing answers at this address. Check it, and whether the controller has started.'],
  [/^(?:ENOTFOUND|EAI_\w+)$/, 'The name of the controller was not found. Enter its IP address instead.'],
  [/^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, 'The controller closed the connection before it answered.'],
  [
    /^(?:E(?:TIMEDOUT|HOSTUNREACH|NETUNREACH|HOSTDOWN|NETDOWN|ADDRNOTAVAIL)|UND_ERR_CONNECT_TIMEOUT)$/,
    'The controller cannot be reached. Check its power, its Wi-Fi and its address.',
  ],
] as const;

const MEANINGS = [
  ...CONNECTION_FAULTS,
  [/^(?:HPE_|UND_ERR_|HTTPParserError$|ERR_ASSERTION$)/, 'The device at this address does not speak HTTP.'],
] as const;

/** A request to a controller's HTTP server. `body` is sent as JSON. */
export type ControllerQuestion = { url: string; body?: object; maxBytes: number };

/**
 * Sends a request and returns the status and the parsed JSON of the answer; `json` is undefined if the answer is not JSON. Rejects with an
 * Error for the user if the answer is late or too long, or if the request failed.
 */
export async function askJson(
  { http, clock }: { http: HttpClient; clock: Clock },
  { url, body, maxBytes }: ControllerQuestion,
): Promise<{ status: number; json: unknown }> {
  const sending = http.send({
    method: body === undefined ? 'GET' : 'POST',
    url,
    headers: { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    body: body === undefined ? undefined : JSON.stringify(body),
    ca: undefined,
    verify: true,
    wholeUpTo: maxBytes,
  });
  let isLate = false;
  const limit = clock.setTimer(LIMIT_MS, () => {
    isLate = true;
    sending.giveUp();
  });
  try {
    const { status, body: bytes, isWhole } = await sending.answer;
    if (!isWhole) throw new Error('The answer is too long for such a controller.');
    return { status, json: jsonOf(Buffer.from(bytes).toString('utf8')) };
  } catch (error) {
    if (isLate) throw new Error(`The controller did not answer within ${LIMIT_MS / 1_000} s.`, { cause: error });
    throw new Error(describeFault(error, MEANINGS, 'The controller could not be asked.'), { cause: error });
  } finally {
    limit.cancel();
  }
}

/** Parses JSON. Returns undefined if the text is not JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
