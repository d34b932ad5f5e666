import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import type { Alert } from '#shared/api/alert.ts';
import type { FoldersStatus } from '#shared/api/folders.ts';
import type { OrderProgress } from '#shared/api/order.ts';
import { startTestStation, type TestStation, type TestStationOptions } from '../../helpers/startTestStation.ts';
import { shopFolder } from '../../helpers/files/shopFolder.ts';

/** Time in milliseconds, longer than the station waits before it imports a complete file. */
export const TAKEN_MS = 15_000;
export const CSV =
  'order_number,SKU,name,warehouse_location,ordered_quantity\nSO-1,CT-200,Cable tie,A-1-1,5\nSO-1,CT-300,Cable tie,A-1-2,2\nSO-2,CT-200,Cable tie,A-1-1,1\n';

/** Creates a folder and a station that uses it as its inbox for each test. */
export function useInbox() {
  let folder: ReturnType<typeof shopFolder>;
  let station: TestStation;

  beforeEach(() => void (folder = shopFolder()));

  afterEach(async () => {
    await station.stop();
    folder[Symbol.dispose]();
  });

  /** Starts a station without an inbox. */
  async function startWithout(options: TestStationOptions = {}): Promise<void> {
    station = await startTestStation(options);
  }

  return {
    get folder() {
      return folder;
    },
    get station() {
      return station;
    },
    startWithout,
    async start(options: TestStationOptions = {}): Promise<void> {
      await startWithout(options);
      await station.patch('/api/settings/', { inbox_folder: folder.path });
    },
    /** Puts a file into the folder and waits for its import. */
    async drop(name: string, content: string | Uint8Array): Promise<void> {
      writeFileSync(join(folder.path, name), content);
      await station.clock.advance(TAKEN_MS);
    },
    /** Returns the numbers of all orders. */
    numbers: async (): Promise<string[]> =>
      (await station.get<OrderProgress[]>('/api/order-progress/')).map(({ order_number }) => order_number),
    status: async () => (await station.get<FoldersStatus>('/api/folders/')).inbox,
    /** Returns the problems in the open alerts of this kind. */
    alerts: async (kind: Alert['kind']): Promise<(string | null)[]> =>
      (await station.get<Alert[]>('/api/alerts/')).filter((alert) => alert.kind === kind).map(({ problem }) => problem),
  };
}
