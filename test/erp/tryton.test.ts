import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { API_KEY, folderOnDisk } from '../shells/stationProcess.ts';
import { until } from '../shells/until.ts';
import { type AccidentProxy, createAccidentProxy } from './accidentProxy.ts';
import { planAccidents } from './accidents.ts';
import { again } from './again.ts';
import { type Connector, createConnector } from './connector.ts';
import { createPickedStation, type PickedStation } from './pickedStation.ts';
import { createTryton, type Tryton } from './trytonServer.ts';
import { createStock, type ErpLine, type ErpShipment, type Stock } from './trytonStock.ts';

const SEED = Number(process.env['ERP_SEED'] ?? '1');
const LIMIT = 900_000;
const OUT = 'model.stock.shipment.out';
const NEVER = (): undefined => undefined;

let folder: string;
let tryton: Tryton;
let station: PickedStation;
let stock: Stock;

beforeAll(async () => {
  folder = folderOnDisk('erp');
  tryton = createTryton(join(folder, 'tryton'));
  station = createPickedStation(join(folder, 'station'));
  await Promise.all([tryton.start(), station.start()]);
  stock = await createStock(tryton);
}, LIMIT);

afterAll(async () => {
  await Promise.all([tryton.kill(), station.kill()]);
  rmSync(folder, { recursive: true });
});

/** Starts a connector without a proxy between this Tryton and a station. */
function connect(to: PickedStation = station): Connector {
  return createConnector({ ...tryton.env, STATION_URL: to.url, API_KEY });
}

const isLit = (number: string, at = station) =>
  until(`${number} to be lit`, async () => (await at.findOrder(number))?.state === 'in_progress');

/** Picks every lit item completely until the shipment has this state in Tryton. */
async function pickUntil(
  shipment: ErpShipment,
  state: string,
  found: (() => number) | typeof NEVER = NEVER,
): Promise<void> {
  await until(`${shipment.number} to be ${state}`, async () => {
    await station.pick(found);
    return (await stock.states([shipment.id]))[0] === state;
  });
}

const done = (lines: readonly ErpLine[]) => lines.map((line) => ({ ...line, state: 'done' }));

describe('ten shipments, while Tryton, the station and the connector are killed', () => {
  let proxies: AccidentProxy[] = [];
  let connector: Connector;
  const { at, open, upTo } = planAccidents(SEED, {
    async tryton() {
      await tryton.kill();
      await tryton.start();
    },
    async station() {
      await station.kill();
      await station.start();
    },
    async connector() {
      await connector.kill();
      connector.start();
    },
    session: async () => tryton.expireSessions(),
  });

  beforeAll(async () => {
    const methodOf = ({ body }: { body: string }) => (JSON.parse(body) as { method: string }).method;
    const callOf = ({ method, path }: { method: string; path: string }) =>
      `${method} ${path.replace(/^(\/api\/orders\/)\d+\//, '$1*/')}`;
    proxies = [
      await createAccidentProxy({ target: () => tryton.url, nameOf: methodOf, at }),
      await createAccidentProxy({ target: () => station.url, nameOf: callOf, at }),
    ];
    const [erp, own] = proxies;
    connector = createConnector({ ...tryton.env, TRYTON_URL: erp?.url ?? '', STATION_URL: own?.url ?? '', API_KEY });
  });

  afterAll(async () => {
    await connector.kill();
    for (const proxy of proxies) await proxy.close();
  });

  test(`are each booked once, with the picked quantities (seed ${SEED})`, { timeout: LIMIT }, async () => {
    const before = await stock.levels();
    const wanted: ErpLine[][] = Array.from({ length: 10 }, (_, index) => [
      { article: 'CT-200', quantity: 1 + upTo(9) },
      { article: index % 2 === 0 ? 'CT-300' : 'M8-20', quantity: 2 + upTo(9) },
    ]);
    /** For each short shipment, the number of pieces found for its second line. */
    const short = new Map([1, 4, 7].map((index) => [index, upTo(2)]));
    const shipments: ErpShipment[] = [];
    for (const lines of wanted) shipments.push(await stock.ship(lines));
    connector.start();

    const pieces = (number: string, sku: string | undefined) => {
      const index = shipments.findIndex((shipment) => shipment.number === number);
      return sku === wanted[index]?.[1]?.article ? short.get(index) : undefined;
    };
    const areDone = async (): Promise<boolean> => {
      // Ignore errors, because the station may be offline at this moment.
      await station.pick((order, item) => pieces(order.order_number, item.SKU)).catch(NEVER);
      const states = await again(() => stock.states(shipments.map(({ id }) => id)));
      return states.every((state) => state === 'done');
    };
    await until('all shipments to be done', areDone, LIMIT);

    const taken = wanted.map((lines, index) =>
      lines.map((line, position) => ({
        ...line,
        quantity: (position === 1 ? short.get(index) : undefined) ?? line.quantity,
      })),
    );
    for (const [index, { id, number }] of shipments.entries()) {
      const lines = taken[index] ?? [];
      const sent = lines.filter(({ quantity }) => quantity > 0);
      expect(await stock.moves(id), number).toEqual({ taken: done(lines), sent: done(sent) });
      expect((await station.findOrder(number))?.state).toBe('fulfilled');
      const [, second] = wanted[index] ?? [];
      const notes = short.has(index)
        ? [`Picked short. ${second?.article}: ${short.get(index)} of ${second?.quantity}`]
        : [];
      expect(await stock.notes(id)).toEqual(notes);
    }
    const gone = Object.fromEntries(Object.keys(before).map((article) => [article, 0]));
    for (const { article, quantity } of taken.flat()) gone[article] = (gone[article] ?? 0) + quantity;
    const left = Object.entries(before).map(([article, level]) => [article, level - (gone[article] ?? 0)]);
    expect(await stock.levels()).toEqual(Object.fromEntries(left));
    expect(await station.lit()).toBe(0);
    expect(open()).toEqual([]);
  });
});

describe('one shipment', () => {
  async function withConnector(work: (connector: Connector) => Promise<void>): Promise<void> {
    const connector = connect();
    connector.start();
    try {
      await work(connector);
    } finally {
      await connector.kill();
    }
  }

  test('turns off when it is unassigned, and is lit again when it is reassigned', { timeout: LIMIT }, () =>
    withConnector(async (connector) => {
      const shipment = await stock.ship([{ article: 'CT-200', quantity: 3 }]);
      await isLit(shipment.number);
      await tryton.call(`${OUT}.wait`, [shipment.id]);
      await until('the order to be gone', async () => (await station.findOrder(shipment.number)) === undefined);
      expect(await station.lit()).toBe(0);
      expect(connector.printed()).toContain(`${shipment.number}: is waiting in Tryton. Its lights are off.\n`);
      await stock.assign(shipment.id);
      await isLit(shipment.number);
      await pickUntil(shipment, 'done');
      expect((await stock.moves(shipment.id)).sent).toEqual(done([{ article: 'CT-200', quantity: 3 }]));
    }),
  );

  test(
    'is picked again if it was unassigned and reassigned between two polls, and picks at its old lights do not count',
    { timeout: LIMIT },
    async () => {
      const shipment = await stock.ship([{ article: 'CT-200', quantity: 3 }]);
      await withConnector(() => isLit(shipment.number));
      await tryton.call(`${OUT}.wait`, [shipment.id]);
      await stock.assign(shipment.id);
      await until('the pick', async () => {
        await station.pick(NEVER);
        return (await station.findOrder(shipment.number))?.state === 'fulfilled';
      });
      await withConnector(async (connector) => {
        await isLit(shipment.number);
        expect(connector.printed()).toContain(
          'was assigned anew. Its lights are off. 3 pieces were picked already: bring them back.',
        );
        await pickUntil(shipment, 'done');
      });
    },
  );

  test('waits in Tryton again if none of it was found', { timeout: LIMIT }, () =>
    withConnector(async (connector) => {
      const shipment = await stock.ship([{ article: 'M8-20', quantity: 2 }]);
      await pickUntil(shipment, 'waiting', () => 0);
      // The connector prints this after Tryton has stored the state.
      const says = `${shipment.number}: nothing of it was found. It waits in Tryton again.\n`;
      await until('the connector to say so', () => connector.printed().includes(says));
      await tryton.call(`${OUT}.cancel`, [shipment.id]);
    }),
  );

  test('must be picked without lights if a quantity is not a whole number of pieces', { timeout: LIMIT }, () =>
    withConnector(async (connector) => {
      const broken = await stock.ship([{ article: 'CABLE', quantity: 2.5 }]);
      const whole = await stock.ship([{ article: 'CABLE', quantity: 2 }]);
      await pickUntil(whole, 'done');
      expect(connector.printed()).toContain(
        `${broken.number}: 2.5 m of CABLE is not a number of pieces. Pick this shipment by hand.\n`,
      );
      expect(await station.findOrder(broken.number)).toBeUndefined();
      await tryton.call(`${OUT}.cancel`, [broken.id]);
    }),
  );

  describe('at two stations', () => {
    let other: PickedStation;
    let second: Connector;

    beforeAll(async () => {
      other = createPickedStation(join(folder, 'other'));
      await other.start();
      second = connect(other);
      second.start();
    });

    afterAll(async () => {
      await second.kill();
      await other.kill();
    });

    const litAtBoth = async (): Promise<ErpShipment> => {
      const shipment = await stock.ship([{ article: 'CT-300', quantity: 4 }]);
      await Promise.all([isLit(shipment.number), isLit(shipment.number, other)]);
      return shipment;
    };

    test('is picked at one station, and dropped by the other', { timeout: LIMIT }, () =>
      withConnector(async () => {
        const shipment = await litAtBoth();
        await pickUntil(shipment, 'done');
        await until('the other station to drop it', async () => (await other.findOrder(shipment.number)) === undefined);
        expect(await other.lit()).toBe(0);
        // The connector may read any state from "picked" to "done".
        expect(second.printed()).toMatch(
          /: (was picked elsewhere|is (picked|packed|done) in Tryton already)\. Its lights are off\.\n/,
        );
      }),
    );

    test(
      'is booked once if both stations picked it, and the second station says what to return',
      { timeout: LIMIT },
      () =>
        withConnector(async () => {
          const shipment = await litAtBoth();
          second.pause();
          await until('the pick at the other station', async () => {
            await other.pick(NEVER);
            return (await other.findOrder(shipment.number))?.state === 'fulfilled';
          });
          await pickUntil(shipment, 'done');
          second.resume();
          const sentence = `${shipment.number}: is done in Tryton without these 4 pieces: bring them back.\n`;
          await until('the sentence', () => second.printed().includes(sentence));
          expect((await stock.moves(shipment.id)).sent).toEqual(done([{ article: 'CT-300', quantity: 4 }]));
        }),
    );
  });

  test('the connector reports a wrong password', { timeout: LIMIT }, async () => {
    const stranger = createConnector({ ...tryton.env, TRYTON_PASSWORD: 'wrong', STATION_URL: station.url, API_KEY });
    stranger.start();
    const sentence = 'Tryton does not take the password of admin.\n';
    await until('the sentence', () => stranger.printed() === sentence);
  });

  test("is booked after the connector's session has expired", { timeout: LIMIT }, () =>
    withConnector(async (connector) => {
      const shipment = await stock.ship([{ article: 'CT-300', quantity: 1 }]);
      await isLit(shipment.number);
      tryton.expireSessions();
      await pickUntil(shipment, 'done');
      expect(connector.printed()).not.toContain('Connection');
    }),
  );

  test('is lit and booked after an outage of Tryton, which the connector reports once', { timeout: LIMIT }, () =>
    withConnector(async (connector) => {
      const shipment = await stock.ship([{ article: 'CT-300', quantity: 1 }]);
      await isLit(shipment.number);
      await tryton.kill();
      await station.pick(NEVER);
      await until('the sentence', () => connector.printed().includes('Connection: Tryton cannot be reached'));
      await tryton.start();
      await pickUntil(shipment, 'done');
      expect(connector.printed().match(/Tryton cannot be reached/g)).toHaveLength(1);
      await until('the other sentence', () => connector.printed().includes('Connection: is back.'));
    }),
  );
});
