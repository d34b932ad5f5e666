import { expect, test } from 'vitest';
import { startReceiver } from '../helpers/servers/receiver.ts';
import { until } from '../shells/until.ts';
import { checkEnd } from './clumsyEnd.ts';
import { handsOf } from './clumsyHands.ts';
import { clumsyPickerOf, type ClumsyPicker } from './clumsyPicker.ts';
import { type ClumsyLine, type ClumsyOrder, planShift } from './clumsyPlan.ts';
import { addPickers, labelDevices, signInPicker } from './picker.ts';
import { useShop } from './shop.ts';

const { SHIFT_SEED = '1' } = process.env;
/** Time limit in milliseconds, longer than a shift takes on a busy machine. */
const SHIFT_MS = 900_000;
const ANNAS = ['A-1-1', 'A-1-2', 'A-1-3', 'A-1-4'];
const BENS = ['B-1-1', 'B-1-2', 'B-1-3', 'B-1-4'];
const SHARED = ['C-1-1', 'C-1-2'];
const PLACES = [...ANNAS, ...BENS, ...SHARED];
/** A place at a separate turbo, which keeps running when the station ends. */
const FAR = 'D-1-1';
const FAR_DEVICE = '7C0000:000001';

const shop = useShop('clumsyShift');

test(
  'despite clumsy hands on the page and at the shelf, and a killed station, exactly what the hands did is booked',
  { timeout: SHIFT_MS },
  async () => {
    const receiver = await startReceiver();
    shop.after(() => receiver.stop());
    await shop.start(PLACES.length);
    await shop.call('PATCH', '/api/settings/', { callback_url: receiver.url, ordernonce: '{order}' });
    const devices = await labelDevices(shop, PLACES);
    const farHand = shop.startTurbo(1);
    await until('the far device', async () => (await shop.call<string[]>('GET', '/api/device/')).includes(FAR_DEVICE));
    await shop.call('POST', `/api/device/${FAR_DEVICE}/`, { locationoverride: FAR });
    await addPickers(shop, ['Anna', 'Ben']);

    const plan = planShift(Number(SHIFT_SEED), (place) => devices[PLACES.indexOf(place)] ?? FAR_DEVICE);
    const own = [plan.ordersOf(ANNAS, 'A'), plan.ordersOf(BENS, 'B')] as const;
    const shared = [plan.special('AC-1', SHARED), plan.special('BC-1', SHARED)] as const;
    const slept = plan.special('AS-1', ANNAS);
    const paused = plan.special('BP-1', BENS);
    const killed = [plan.special('AK-1', ANNAS), plan.special('BK-1', [...BENS.slice(0, 2), FAR])] as const;
    const orders = [...own.flat(), ...shared, slept, paused, ...killed];
    for (const order of orders) await addOrder(order);

    const windows = [await shop.openWindow('light'), await shop.openWindow('dark')] as const;
    const people = await Promise.all(
      windows.map(async (window, index) => {
        const name = index === 0 ? 'Anna' : 'Ben';
        await window.page.clock.install();
        await signInPicker(shop, window, name);
        return clumsyPickerOf(shop, handsOf(shop, name, window.page));
      }),
    );
    const [anna, ben] = people;
    if (anna === undefined || ben === undefined) throw new Error('There are two.');
    const both = <T>(tasks: readonly [T, T], work: (picker: ClumsyPicker, task: T) => Promise<void>) =>
      Promise.all([work(anna, tasks[0]), work(ben, tasks[1])]);

    await both(own, async (picker, list) => {
      for (const order of list) await picker.pick(order);
    });
    // Two pickers share one device, and each waits for the light in the picker's color.
    await both(shared, async (picker, order) => {
      await picker.take(order);
      for (const line of order.lines) await picker.pressAt(order, line);
      await picker.finish(order);
    });
    await Promise.all([pickAsleep(anna, slept), pickPaused(ben, paused)]);

    await both(killed, (picker, order) => picker.take(order));
    const [near, far] = killed;
    const farLine = lineAt(far, FAR);
    await ben.hands.untilLit(farLine);
    const keptLine = await anna.current(near);
    farHand(FAR_DEVICE, 'away');
    farHand(FAR_DEVICE);
    for (const window of windows) window.expectOutage(true);
    const { port } = new URL(shop.url);
    await shop.station.kill();
    await Promise.all(windows.map(({ page }) => page.getByText('Connection to the station lost').waitFor()));
    await anna.hands.touch();
    await anna.hands.page.getByText('No connection: 1 confirmation is kept here').waitFor();
    await shop.start(PLACES.length, Number(port));
    await anna.booked(near, keptLine);
    farHand(FAR_DEVICE, 'back');
    await ben.booked(far, farLine);
    for (const window of windows) window.expectOutage(false);
    await both(killed, (picker, order) => picker.touchRest(order));

    await checkEnd(shop, receiver, orders);
    expect(windows.flatMap(({ complaints }) => complaints)).toEqual([]);
  },
);

function lineAt({ number, lines }: ClumsyOrder, place: string): ClumsyLine {
  const line = lines.find((each) => each.place === place);
  if (line === undefined) throw new Error(`${number} has no line at ${place}.`);
  return line;
}

/** Presses at the shelf while the tablet sleeps for an hour. Afterwards the page must show the next line. */
async function pickAsleep(picker: ClumsyPicker, order: ClumsyOrder): Promise<void> {
  await picker.take(order);
  const line = await picker.current(order);
  await picker.hands.sleep(() => picker.pressAt(order, line));
  await picker.touchRest(order);
}

/** Pauses right after a press, and while a device out of reach holds a press. Both presses must count. */
async function pickPaused({ hands, ...picker }: ClumsyPicker, order: ClumsyOrder): Promise<void> {
  const { page, button, touch } = hands;
  const pause = async () => {
    await hands.keys('PICK:PAUSE', 5);
    await page.getByRole('heading', { name: 'Paused', exact: true }).waitFor();
  };
  await picker.take(order);
  const first = await picker.current(order);
  await hands.untilLit(first);
  await hands.pressButton(first);
  await pause();
  await picker.booked(order, first);
  await touch(button('Continue'));
  const second = await picker.current(order);
  await hands.pressOutOfReach(second, pause);
  await picker.booked(order, second);
  await touch(button('Continue'));
  await picker.touchRest(order);
}

async function addOrder({ number, lines }: ClumsyOrder): Promise<void> {
  const items = lines.map(({ name, SKU, ordered, deviceid, place }) => ({
    name,
    SKU,
    ordered_quantity: ordered,
    ...(deviceid === undefined ? { warehouse_location: place } : { deviceid }),
  }));
  await shop.call('POST', '/api/orders/', { order_number: number, items });
}
