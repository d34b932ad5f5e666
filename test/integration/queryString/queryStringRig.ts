import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { CommandEntry } from '#shared/api/device.ts';
import { problemSchema } from '#shared/api/problem.ts';
import { rawRequest } from '../../helpers/servers/rawHttp.ts';
import { API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

export const DEVICE = '51D000:000001';
export const BASE = `/api/${DEVICE}`;
export const KEY = { 'api-key': API_KEY };

/** Starts a station for the tests in a file, and returns functions that send requests to the station's paths. */
export function useAddresses() {
  let station: TestStation;

  beforeAll(async () => {
    station = await startTestStation({ simulate: 1, refreshMs: 0 });
  });

  afterEach(async () => {
    await station.post(`/api/device/${DEVICE}/`, { command: 'kill' });
    const statics = { statica: '', staticb: '', staticc: '', staticd: '', statice: '', locationoverride: '' };
    await station.post(`/api/device/${DEVICE}/`, { ...statics, arrow: '', barcode: '', qrcode: '', icon: '' });
  });

  afterAll(() => station.stop());

  /** Sends a request with this path unchanged. */
  async function open(path: string, headers: Record<string, string> = KEY, method = 'GET') {
    const answer = await rawRequest(station.url, { method, path, headers });
    const body: unknown = answer.text === '' ? undefined : JSON.parse(answer.text);
    return { ...answer, body };
  }

  async function lit(path: string): Promise<CommandEntry> {
    const { status, body } = await open(path);
    expect({ path, status, body }).toMatchObject({
      status: 200,
      body: { deviceid: DEVICE, state: 'queued', warnings: [] },
    });
    return only();
  }

  async function only(): Promise<CommandEntry> {
    const { commands } = await station.device(DEVICE);
    expect(commands).toHaveLength(1);
    const [command] = commands;
    if (command === undefined) throw new Error('Nothing is lit.');
    return command;
  }

  async function refused(path: string, status: number, headers: Record<string, string> = KEY) {
    const answer = await open(path, headers);
    expect({ path, status: answer.status }).toEqual({ path, status });
    expect((await station.device(DEVICE)).commands, path).toEqual([]);
    return problemSchema.parse(answer.body);
  }

  return {
    open,
    lit,
    only,
    refused,
    get station() {
      return station;
    },
  };
}
