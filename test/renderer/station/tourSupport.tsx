import { act, screen } from '@testing-library/react';
import type { Order, OrderProgress } from '#shared/api/order.ts';
import type { WorkLine } from '#shared/api/picking.ts';
import type { Turbo } from '#shared/api/turbo.ts';
import { DEMO_ORDER } from '#shared/lib/orders/demoOrder.ts';
import type { ReactNode } from 'react';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import { takeSnapshot } from '../../../renderer/src/station/live/store.ts';
import { userOf } from '../../helpers/snapshots.ts';
import { command, device, show, station, testContext, type Stubs } from '../support.tsx';
import { item, order, progress } from '../orders/workSupport.tsx';

const TURBO: Turbo = {
  serial_number: 'SIM-1',
  name: '',
  status: 'online',
  transport: 'simulated',
  port: 'loopback',
  firmware: 12,
  uptime: 1,
  last_seen: null,
  device_count: 4,
  problem: null,
};
const PLACES = DEMO_ORDER.items.map(({ warehouse_location: place }) => place);
const ID = (index: number) => `51D000:00000${index + 1}`;

type Options = {
  scope?: 'admin' | 'picker';
  /** Whether the demo order is already launched for this person. */
  isLaunched?: boolean;
  /** Whether devices show their commands immediately. */
  isQuick?: boolean;
  orders?: readonly OrderProgress[];
  calls?: Partial<Stubs>;
};

/** Creates a fake demo shop, in which a press completes a line and each change arrives as a new snapshot. */
export function demoStation(options: Options = {}) {
  const { scope = 'admin', isLaunched = true, isQuick = true } = options;
  const me = userOf('Ann', scope);
  let current = newOrder('10418');
  const added: string[] = [];
  const presses: string[] = [];
  let showing = isQuick;
  const lit = (index: number) => current.shipments[0]?.items[index]?.state === 'active';

  const devices = () =>
    PLACES.map((place, index) =>
      device(ID(index), {
        locationoverride: place,
        location: place,
        can_press: true,
        commands: lit(index) ? [command(`c${index}`, { state: showing ? 'shown' : 'queued', color: 'blue' })] : [],
      }),
    );
  const stationNow = () => ({ ...station(...devices()), user: me, turbos: [TURBO] });
  const snapshot = () => ({ station: stationNow(), clockSkewMs: 0 });

  const context = testContext(
    { station: stationNow(), connection: { kind: 'live' } },
    {
      getOrder: ({ path: { order_number: number } }) =>
        number === current.order_number ? Promise.resolve(current) : Promise.reject(new ApiError('not_found', 'No')),
      loadOrders: () => Promise.resolve(options.orders ?? [progressNow()]),
      loadOrdersIn: (state) => Promise.resolve([progressNow()].filter((each) => each.state === state)),
      listWork: () => Promise.resolve(linesNow()),
      listPickers: () => Promise.resolve([]),
      getNextOrder: () => Promise.resolve({ order: null, waiting: 0 }),
      addOrder: async ({ body: { order_number: number } }) => {
        added.push(number);
        current = newOrder(number);
        return { ...current, warnings: [] };
      },
      launchOrder: async ({ path: { order_number: number } }) => {
        if (current.order_number !== number) current = newOrder(number);
        light();
        takeSnapshot(context.store, snapshot());
        return current;
      },
      pressSimulatedDevice: async ({ path: { DeviceID: deviceid } }) => {
        presses.push(deviceid);
        await finish(deviceid);
      },
      acknowledgeCommand: ({ path: { DeviceID: deviceid } }) => finish(deviceid),
      ...options.calls,
    },
  );

  function newOrder(number: string): Order {
    const items = DEMO_ORDER.items.map((given, index) =>
      item(index + 1, { ...given, quantity_remaining: given.ordered_quantity, deviceid: ID(index) }),
    );
    return order(number, items);
  }

  function change(index: number, given: Partial<ReturnType<typeof item>>): void {
    const items = (current.shipments[0]?.items ?? []).map((each, at) => (at === index ? { ...each, ...given } : each));
    current = { ...current, items, shipments: current.shipments.map((shipment) => ({ ...shipment, items })) };
  }

  function light(): void {
    for (const [index, each] of (current.shipments[0]?.items ?? []).entries()) {
      if (each.state !== 'done') change(index, { state: 'active', command_id: `c${index}`, picker: 'Ann' });
    }
    current = {
      ...current,
      state: 'in_progress',
      pickers: [{ name: 'Ann', color: 'blue', paused: false, deviceid: null }],
    };
  }

  async function finish(deviceid: string): Promise<void> {
    const index = PLACES.findIndex((_, at) => ID(at) === deviceid);
    const quantity = current.shipments[0]?.items[index]?.ordered_quantity ?? 0;
    if (!lit(index)) return;
    change(index, { state: 'done', quantity_fulfilled: quantity, quantity_remaining: 0, command_id: null });
    if (current.shipments[0]?.items.every(({ state }) => state === 'done')) {
      current = { ...current, state: 'fulfilled' };
    }
    takeSnapshot(context.store, snapshot());
  }

  const progressNow = () => progress(current.order_number, { state: current.state, pickers: current.pickers });

  const linesNow = (): WorkLine[] =>
    (current.shipments[0]?.items ?? []).flatMap((each, index) =>
      each.state !== 'active'
        ? []
        : [
            {
              deviceid: ID(index),
              location: PLACES[index] ?? '',
              light: true,
              customer: '',
              note: '',
              text: each.name ?? '',
              description: '',
              SKU: '',
              UPC: '',
              quantity: each.ordered_quantity,
              ordered_quantity: each.ordered_quantity,
              quantity_fulfilled: 0,
              order_number: current.order_number,
              item_id: each.id,
              color: 'blue',
              picker: 'Ann',
              command_id: `c${index}`,
              waiting: false,
              current: false,
              unreachable: false,
              shown_at: null,
              on_hand: null,
              packs: [],
              picture: null,
              found_empty: null,
              elsewhere: [],
            },
          ],
    );

  if (isLaunched) light();
  takeSnapshot(context.store, snapshot());

  return {
    context,
    added,
    presses,
    open: (part: ReactNode) => act(async () => show(context, part)),
    /** Changes the order, as if somebody had changed it at the station. */
    happens: (change_: (now: Order) => Partial<Order>) =>
      act(async () => {
        current = { ...current, ...change_(current) };
        takeSnapshot(context.store, snapshot());
      }),
    /** Makes the devices show their commands. */
    draw: () =>
      act(async () => {
        showing = true;
        takeSnapshot(context.store, snapshot());
      }),
    /** Presses the button of the device at this place. */
    finger: (place: string) => act(async () => finish(ID(PLACES.findIndex((each) => each === place)))),
  };
}

export const said = () =>
  screen.getByRole('complementary', { name: 'Tour' }).querySelector('[role=status]')?.textContent;
