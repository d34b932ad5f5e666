import { afterAll, beforeAll, expect } from 'vitest';
import { problemSchema, type ErrorCode, type Problem } from '#shared/api/problem.ts';
import { rawRequest } from '../../helpers/servers/rawHttp.ts';
import { API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

export const ONE = '51D000:000001';
export const TWO = '51D000:000002';

export type SentBody = {
  /** Body of the request, sent as JSON unless it is a string. */
  body?: unknown;
  /** Headers sent in addition to the API key. The value undefined removes a header. */
  headers?: Record<string, string | undefined>;
};

export type RigRequest = readonly [method: string, path: string, sent?: SentBody];
export type RefusedWith = readonly [status: number, code: ErrorCode];

/** Starts one station for all tests in a file. It has two simulated devices, the first with one button and the second with three. */
export function useStation() {
  let station: TestStation;

  beforeAll(async () => {
    station = await startTestStation({ simulate: 2, refreshMs: 0 });
  });

  afterAll(() => station.stop());

  /** Sends a request with this path unchanged. */
  async function ask(method: string, path: string, { body, headers = {} }: SentBody = {}) {
    const all = {
      'api-key': API_KEY,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    };
    const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    // Node does not send a DELETE body unless its length is set.
    if (text !== undefined) given.push(['content-length', String(Buffer.byteLength(text))]);
    const answer = await rawRequest(station.url, {
      method,
      path,
      headers: Object.fromEntries(given),
      ...(text === undefined ? {} : { body: text }),
    });
    await station.clock.advance(0);
    const isJson = answer.headers['content-type']?.includes('json') === true && answer.text !== '';
    return { ...answer, json: isJson ? (JSON.parse(answer.text) as unknown) : undefined };
  }

  async function refused([method, path, sent]: RigRequest, [status, code]: RefusedWith): Promise<Problem> {
    const answer = await ask(method, path, sent);
    expect({ method, path, status: answer.status, text: answer.text }).toMatchObject({ status });
    const problem = problemSchema.strict().parse(answer.json);
    expect(problem).toMatchObject({ status, code });
    return problem;
  }

  return {
    ask,
    refused,
    /** Returns a device's only open command. */
    async only(deviceid = ONE) {
      const { commands } = await station.device(deviceid);
      expect(commands).toHaveLength(1);
      const [command] = commands;
      if (command === undefined) throw new Error('Nothing is lit.');
      return command;
    },
    get station() {
      return station;
    },
  };
}
