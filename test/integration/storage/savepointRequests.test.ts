import { describe, expect, test } from 'vitest';
import { addOrder, anItem, itemsOf, litDevices, orderPath, press, statesOf } from '../../helpers/orders.ts';
import { seededFraction } from '../../helpers/seeded.ts';
import type { Answer } from '../../helpers/startTestStation.ts';
import { ONE, ORDER, ROUND, THREE, TWO, useWork } from './savepointRig.ts';

const work = useWork();

const IN_TWO_GROUPS = [
  { order: 1, device: ONE, line1: 'a', stepnonce: 'n-a', quantity: 2 },
  { order: 2, device: TWO, line1: 'b' },
];

type Refused = {
  what: string;
  /** Prepares the state before the request. */
  given: () => Promise<unknown>;
  /** The statement that SQLite refuses during the request. */
  at: string;
  send: () => Promise<Answer>;
  /** Status of the answer after the fault is fixed. After that, `after` must return `is`. */
  status: number;
  after: () => Promise<string>;
  is: string;
};

const TWO_AT_ONCE = [
  { order: 1, device: ONE, line1: 'a' },
  { order: 1, device: TWO, line1: 'b' },
];
const TWO_ITEMS = [anItem({ name: 'first' }), anItem({ name: 'second', deviceid: TWO })];
const send = (method: string, path: string, body?: object) => () => work.station.request(method, path, body);
const order = (rest = '') => orderPath(ORDER, rest);
const orderStands = () => statesOf(work.station, ORDER);
const isGone = (path: string) => async () => String((await work.station.request('GET', path)).status);
const createOrder = () => addOrder(work.station, ORDER, TWO_ITEMS, { ordernonce: 'all' });
const launched = () => work.launchOrder(TWO_ITEMS);
const round = (steps: object[]) => ({ sequenceid: 'round', steps });

const REFUSED: Refused[] = [
  {
    what: 'an order, at its second item',
    given: () => Promise.resolve(),
    at: "INSERT ON items WHEN NEW.name = 'second'",
    send: send('POST', '/api/orders/', { order_number: ORDER, items: TWO_ITEMS }),
    status: 201,
    after: orderStands,
    is: 'open: open(open open)',
  },
  {
    what: 'a launch of an order, at its second item',
    given: createOrder,
    at: `INSERT ON commands WHEN NEW.device_id = '${TWO}'`,
    send: send('POST', order('launch/')),
    status: 200,
    after: orderStands,
    is: 'in_progress: in_progress(active active)',
  },
  {
    what: 'a launch of an order, at its last history entry',
    given: createOrder,
    at: "INSERT ON history WHEN NEW.kind = 'order_launched'",
    send: send('POST', order('launch/')),
    status: 200,
    after: orderStands,
    is: 'in_progress: in_progress(active active)',
  },
  {
    what: 'a correction of a lit item, at its display',
    given: launched,
    at: 'INSERT ON commands',
    send: send('PATCH', order('items/1/'), { quantity_fulfilled: 1 }),
    status: 200,
    after: async () => `${(await itemsOf(work.station, ORDER))[0]?.quantity_fulfilled} ${work.told().join()}`,
    is: '1 item_added',
  },
  {
    what: 'a correction to the full quantity, at the light',
    given: launched,
    at: 'DELETE ON commands',
    send: send('PATCH', order('items/1/'), { quantity_fulfilled: 2 }),
    status: 200,
    after: orderStands,
    is: 'in_progress: in_progress(done active)',
  },
  {
    what: 'a correction that completes the order, at its last callback',
    given: async () => {
      await launched();
      await press(work.station, TWO);
    },
    at: "INSERT ON outbox WHEN NEW.payload LIKE '%order_fulfilled%'",
    send: send('PATCH', order('items/1/'), { quantity_fulfilled: 2 }),
    status: 200,
    after: async () => `${await orderStands()} ${work.told().slice(2).join(' ')}`,
    is: 'fulfilled: fulfilled(done done) item_added order_fulfilled',
  },
  {
    what: 'an abort, at the last light that goes out',
    given: launched,
    at: `DELETE ON commands WHEN OLD.device_id = '${ONE}'`,
    send: send('POST', order('abort/')),
    status: 200,
    after: orderStands,
    is: 'aborted: aborted(cancelled cancelled)',
  },
  {
    what: 'a removal of an order, at the order itself',
    given: launched,
    at: 'DELETE ON orders',
    send: send('DELETE', order()),
    status: 204,
    after: isGone(order()),
    is: '404',
  },
  {
    what: 'a sequence, at its second step',
    given: () => Promise.resolve(),
    at: 'INSERT ON steps WHEN NEW.position = 1',
    send: send('POST', '/api/sequence/', round(TWO_AT_ONCE)),
    status: 201,
    after: work.stands,
    is: 'unstarted: pending pending',
  },
  {
    what: 'a launch of a sequence, at the second step of its group',
    given: () => work.station.post('/api/sequence/', round(TWO_AT_ONCE)),
    at: `INSERT ON commands WHEN NEW.device_id = '${TWO}'`,
    send: send('GET', '/api/launchsequence/round/'),
    status: 200,
    after: work.stands,
    is: 'in-progress: active active',
  },
  {
    what: 'a launch from the beginning, at its second step; lit steps stay lit',
    given: async () => {
      await work.launchRound(TWO_AT_ONCE);
      await press(work.station, ONE);
    },
    at: `INSERT ON commands WHEN NEW.device_id = '${TWO}'`,
    send: send('GET', '/api/launchsequence/round/?restart=1'),
    status: 200,
    after: work.stands,
    is: 'in-progress: active active',
  },
  {
    what: 'a change of a running sequence, at its second step',
    given: () => work.launchRound(TWO_AT_ONCE),
    at: 'INSERT ON steps WHEN NEW.position = 1',
    send: send('PUT', ROUND, round([...TWO_AT_ONCE, { order: 2, device: THREE }])),
    status: 200,
    after: work.stands,
    is: 'unstarted: pending pending pending',
  },
  {
    what: 'a removal of a running sequence, at the sequence itself',
    given: () => work.launchRound(TWO_AT_ONCE),
    at: 'DELETE ON sequences',
    send: send('DELETE', ROUND),
    status: 204,
    after: isGone(ROUND),
    is: '404',
  },
  {
    what: 'an acknowledgement at the station, at the next step',
    given: () => work.launchRound(IN_TWO_GROUPS),
    at: `INSERT ON commands WHEN NEW.device_id = '${TWO}'`,
    send: async () => {
      const { commands } = await work.station.device(ONE);
      const { command_id = '' } = commands[0] ?? {};
      return work.station.request('POST', `/api/device/${ONE}/acknowledge/`, { command_id, qty: 1 });
    },
    status: 200,
    after: async () => `${await work.stands()} ${work.told().join()}`,
    is: 'in-progress: acknowledged active ack n-a 1',
  },
  {
    what: 'a kill of the command of a step, when its sequence stalls',
    given: () => work.launchRound(IN_TWO_GROUPS),
    at: "INSERT ON history WHEN NEW.kind = 'sequence_stalled'",
    send: send('POST', `/api/device/${ONE}/`, { command: 'kill' }),
    status: 200,
    after: work.stands,
    is: 'stalled: cancelled pending',
  },
];

describe('a request that fails halfway is answered with an error, changes nothing, and can be repeated', () => {
  for (const { what, given, at, send: sendIt, status, after, is } of REFUSED) {
    test(what, async () => {
      await given();
      const before = await work.everything();
      const mend = work.breakAt(at);
      expect(await sendIt()).toMatchObject({ status: 500, body: { code: 'internal' } });
      await work.station.clock.advance(0);
      expect(await work.everything()).toEqual(before);
      mend();
      expect(await sendIt()).toMatchObject({ status });
      await work.station.clock.advance(0);
      expect(await after()).toBe(is);
    });
  }
});

/** Queries that find commands and owners that contradict each other, and work that is lit twice. */
const LOOSE = [
  ...['item', 'step'].flatMap((kind) => [
    `SELECT c.id FROM commands c WHERE c.owner_kind = '${kind}'
   AND NOT EXISTS (SELECT 1 FROM ${kind}s o WHERE o.id = c.owner_id AND o.state = 'active')`,
    `SELECT o.id FROM ${kind}s o WHERE o.state = 'active'
   AND NOT EXISTS (SELECT 1 FROM commands c WHERE c.owner_kind = '${kind}' AND c.owner_id = o.id)`,
  ]),
  'SELECT owner_id FROM commands WHERE owner_kind IS NOT NULL GROUP BY owner_kind, owner_id HAVING count(*) > 1',
];

test('simultaneous launches, aborts, changes and removals leave no command without an owner, and no active item or step dark', async () => {
  const fraction = seededFraction(7);
  const names = Array.from({ length: 12 }, (_, index) => `w${index}`);
  for (const name of names) {
    await addOrder(work.station, name, TWO_ITEMS);
    await work.station.post('/api/sequence/', { sequenceid: name, steps: TWO_AT_ONCE });
  }
  const all = names.flatMap((name) => [
    send('POST', orderPath(name, 'launch/')),
    send('POST', orderPath(name, 'launch/')),
    send('POST', orderPath(name, 'abort/')),
    send('GET', `/api/launchsequence/${name}/`),
    send('GET', `/api/launchsequence/${name}/?restart=1`),
    send('PUT', `/api/sequence/${name}/`, { steps: [{ order: 1, device: THREE }] }),
    // Every third order and sequence is removed as well.
    ...(names.indexOf(name) % 3 === 0
      ? [send('DELETE', orderPath(name)), send('DELETE', `/api/sequence/${name}/`)]
      : []),
  ]);
  const mixed = all.map((ask) => ({ ask, at: fraction() })).toSorted((a, b) => a.at - b.at);
  const answers = await Promise.all(mixed.map(({ ask }) => ask()));
  await work.station.clock.advance(1_000);
  for (const { status } of answers) expect([200, 204, 404]).toContain(status);
  expect(answers.filter(({ status }) => status === 204)).toHaveLength(8);
  for (const sql of LOOSE) expect(work.station.rows(sql)).toEqual([]);
  expect((await litDevices(work.station)).length).toBeGreaterThan(0);
});
