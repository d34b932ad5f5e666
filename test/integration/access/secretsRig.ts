import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import type { Alert } from '#shared/api/alert.ts';
import type { Delivery } from '#shared/api/callback.ts';
import type { SettingsAnswer } from '#shared/api/settings.ts';
import { startReceiver, type Receiver } from '../../helpers/servers/receiver.ts';
import { DISPLAY_KEY, HEADER, SECRETS } from '../../helpers/secretBytes.ts';
import { startTestStation, type TestStation, type TestStationOptions } from '../../helpers/startTestStation.ts';

export const DEVICE = '51D000:000001';
export const SECOND = 1_000;
export const HOUR = 3_600 * SECOND;
/** A data key other than the one that encrypted the folder's secrets. */
export const OTHER_KEY = Buffer.alloc(32, 7).toString('base64');

/** Creates a callback receiver and a station whose secrets are encrypted with the folder's data key, for each test. */
export function useSecrets() {
  let receiver: Receiver;
  let station: TestStation;

  beforeEach(async () => void (receiver = await startReceiver()));

  afterEach(async () => {
    await station.stop();
    await receiver.stop();
  });

  return {
    get station() {
      return station;
    },
    get receiver() {
      return receiver;
    },
    async start(options: TestStationOptions = {}): Promise<void> {
      station = await startTestStation({ simulate: 1, refreshMs: 0, ...options });
    },
    keyFile: (): string => join(station.dataFolder, 'data.key'),
    settings: () => station.get<SettingsAnswer>('/api/settings/'),
    alerts: () => station.get<Alert[]>('/api/alerts/?state=open'),
    deliveries: () => station.get<Delivery[]>('/api/callbacks/'),
    /** Configures a receiver with signed callbacks. */
    async setReceiver(more: object = {}): Promise<void> {
      await station.patch('/api/settings/', {
        callback_url: receiver.url,
        callback_signing_secret: SECRETS.callback_signing_secret,
        ...more,
      });
    },
    /** Stores one secret of each kind. */
    async setAll(): Promise<void> {
      await station.patch('/api/settings/', {
        ...SECRETS,
        callback_headers: { Authorization: HEADER, 'X-Shop': 'Bern' },
      });
      await station.post('/api/turbo/links/', {
        kind: 'opendisplay',
        url: 'opendisplay://192.0.2.40',
        key: DISPLAY_KEY,
      });
    },
    /** Causes callbacks by pressing an idle device. */
    async press(count = 1): Promise<void> {
      for (let done = 0; done < count; done += 1) {
        await station.press(DEVICE, 'front', 'long');
        await station.clock.advance(SECOND);
      }
    },
    ids: () => receiver.requests.map(({ headers }) => headers['webhook-id']),
    signed: () => receiver.requests.filter(({ headers }) => headers['webhook-signature'] !== undefined),
  };
}
