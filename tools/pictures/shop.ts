import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Station } from '../../shared/api/station.ts';
import type { SerialPorts } from '../../electron/server/ports.ts';
import { createStation } from '../../electron/server/station.ts';
import { systemPorts } from '../../electron/server/systemPorts.ts';

const KEY = 'picture-key';

const USB = { manufacturer: '', locationId: '' };
/** Serial ports of a computer with two USB devices, neither of which can be opened. */
const MACHINE: SerialPorts = {
  list: () =>
    Promise.resolve([
      { ...USB, path: '/dev/ttyUSB0', vendorId: '10c4', productId: 'ea60', serialNumber: '0001' },
      { ...USB, path: '/dev/ttyACM0', vendorId: '303a', productId: '1001', serialNumber: '7C:DF:A1:00:00:01' },
    ]),
  open: ({ path }) => Promise.reject(new Error(`Permission denied, cannot open ${path}`)),
  reset: () => Promise.resolve(),
};

/** A new station with an empty data folder, and methods for scripts. */
export type PictureShop = {
  url: string;
  /** Cookies of the first admin's session. */
  cookies: { name: string; value: string; url: string }[];
  /** Calls the API. Resolves to the body of the response, or null if it has none. */
  call(method: string, path: string, body?: object): Promise<unknown>;
  /** Resolves to the id of the device with this label. */
  deviceAt(label: string): Promise<string>;
  stop(): Promise<void>;
};

export async function startShop(pageFolder: string): Promise<PictureShop> {
  const folder = mkdtempSync(join(tmpdir(), 'pickstation-picture-'));
  const config = {
    host: undefined,
    port: 0,
    dataFolder: folder,
    simulate: 0,
    adminPassword: undefined,
    apiKey: KEY,
    firstRun: 'window',
  } as const;
  const station = createStation(config, { ...systemPorts('warn', {}), serial: MACHINE }, pageFolder);
  const { url, signIn } = await station.start();
  const { sessionId, token } = await signIn();

  async function ask(method: string, path: string, body?: object): Promise<Response> {
    const headers = { 'api-key': KEY, 'content-type': 'application/json' };
    const response = await fetch(`${url}${path}`, { method, headers, body: body ? JSON.stringify(body) : null });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response;
  }

  return {
    url,
    cookies: [
      { name: 'sessionid', value: sessionId, url },
      { name: 'csrftoken', value: token, url },
    ],
    async call(method, path, body) {
      const text = await (await ask(method, path, body)).text();
      return text === '' ? null : JSON.parse(text);
    },
    async deviceAt(label) {
      const { devices } = (await (await ask('GET', 'api/station/')).json()) as Station;
      const device = devices.find(({ locationoverride }) => locationoverride === label);
      if (device === undefined) throw new Error(`The shop has no device ${label}.`);
      return device.deviceid;
    },
    async stop() {
      await station.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Sets up a typical morning: some devices are lit, one has a queue, one has an empty battery and, with `withSilent`, one is offline. */
export async function beginWork({ call, deviceAt }: PictureShop, withSilent: boolean): Promise<void> {
  const pick = async (label: string, fields: object) =>
    call('POST', `api/device/${await deviceAt(label)}/`, { command: 'pick', seconds: 600, ...fields });
  const simulated = async (label: string, fields: object) =>
    call('PATCH', `api/simulator/devices/${await deviceAt(label)}/`, fields);
  await pick('A-4-2', { line1: 'M8 nut', line2: 'DIN 934', quantity: 12, color: 'g', nonce: 'order 10417' });
  await pick('A-3-1', { line1: 'Threadlock', line2: '50 ml', quantity: 2, color: 'b', nonce: 'order 10418 a' });
  await pick('A-3-2', {
    line1: 'Cable tie 200',
    line2: 'black, 100 pcs',
    quantity: 5,
    color: 'b',
    nonce: 'order 10418',
  });
  await pick('A-3-2', { command: 'flash', line1: 'Cycle count', color: 'g', nonce: 'cycle-count' });
  await pick('A-3-4', { line1: 'Fuse 10 A', line2: 'blade, red', quantity: 1, color: 'b', nonce: 'order 10418 b' });
  await pick('A-2-3', { line1: 'Belt A38', arrow: 'left', quantity: 1, color: 'r', nonce: 'repair' });
  await pick('B-2-1', { line1: 'Glove M', line2: '12 pairs', quantity: 3, color: 'yellow', nonce: 'order 10419' });
  if (withSilent) await simulated('A-2-2', { reachable: false });
  await simulated('A-2-4', { battery_mv: 2_260 });
}
