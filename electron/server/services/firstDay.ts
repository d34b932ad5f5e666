import type { Settings } from '#shared/api/settings.ts';
import { FIRST_STEPS, type FirstDay, type FirstStep } from '#shared/api/setup.ts';
import type { TablesOf } from '../core.ts';
import type { Writer } from '../db/writer.ts';
import { demoRows } from './demoRows.ts';

type FirstDayCore = {
  reads: TablesOf<'firstDay'>;
  repositories: TablesOf<'firstDay'>;
  writer: Writer;
  settings: { current(): Settings };
};

/** Whether rows of a kind exist: `own` for rows that the owner created, `demo` for rows of the demo shop. */
type Had = { own: boolean; demo: boolean };

/** Settings that connect the station to another system. */
const CONNECTIONS = ['callback_url', 'mqtt_url', 'inbox_folder', 'outbox_folder', 'orders_sheet_url'] as const;

/** Tracks the first steps of a new owner, derived from the rows in the station. Devices, racks and orders in the demo shop do not count. */
export function createFirstDay({ reads, repositories, writer, settings }: FirstDayCore) {
  function get(): FirstDay {
    const { steps, demo } = stepsOf(reads, settings.current());
    return {
      dismissed: reads.accounts.isFirstDayOver(),
      demo,
      steps: FIRST_STEPS.map((step) => ({
        step,
        done: steps[step].own,
        in_demo: steps[step].demo && !steps[step].own,
      })),
    };
  }

  return {
    get,
    async change({ dismissed }: Pick<FirstDay, 'dismissed'>): Promise<FirstDay> {
      await writer.write(() => repositories.accounts.setFirstDayOver(dismissed));
      return get();
    },
  };
}

export type FirstDayService = ReturnType<typeof createFirstDay>;

function stepsOf(tables: TablesOf<'firstDay'>, settings: Settings): { steps: Record<FirstStep, Had>; demo: boolean } {
  const { articles, devices, map, orders } = tables;
  const { devices: ofDemo, racks, orders: demoOrders } = demoRows(tables);
  const { racks: allRacks, places } = map.get();
  const demoIds = new Set(ofDemo.map(({ device_id: id }) => id));
  const placed = new Set(places.map(({ deviceid }) => deviceid));
  const own = devices.list().filter(({ device_id: id }) => !demoIds.has(id));
  const demoNumbers = new Set(demoOrders.map(({ orderNumber }) => orderNumber));
  const picked = orders.listPicked(demoNumbers.size + 1);
  const hasPicked = picked.some((number) => !demoNumbers.has(number));
  const hasDemo = ofDemo.length > 0;
  return {
    demo: hasDemo || racks.length > 0 || demoOrders.length > 0,
    steps: {
      name: { own: settings.shop_name !== '', demo: false },
      shelves: { own: allRacks.length > racks.length, demo: racks.length > 0 },
      hardware: { own: own.length > 0, demo: hasDemo },
      places: { own: own.some(({ device_id: id, label }) => label !== '' || placed.has(id)), demo: hasDemo },
      // Shops can pick without articles, so any pick completes this step.
      articles: { own: articles.hasAny() || hasPicked, demo: false },
      orders: { own: orders.isMoreThan(demoNumbers.size), demo: demoNumbers.size > 0 },
      pick: { own: hasPicked, demo: picked.length > 0 },
      system: { own: isConnected(tables, settings), demo: false },
    },
  };
}

function isConnected({ accounts, callbackReceivers }: TablesOf<'firstDay'>, settings: Settings): boolean {
  if (CONNECTIONS.some((name) => settings[name] !== '')) return true;
  const isProgram = accounts
    .listApiUsers()
    .some(({ scope, of_environment: isGiven }) => scope !== 'turbo' && isGiven === 0);
  return isProgram || callbackReceivers.list().length > 0;
}
