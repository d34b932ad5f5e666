import { until } from '../shells/until.ts';
import { endsOf, orderNow } from './clumsyEnd.ts';
import type { ClumsyHands } from './clumsyHands.ts';
import { type ClumsyLine, type ClumsyOrder, endOf } from './clumsyPlan.ts';
import type { useShop } from './shop.ts';

/** The place that the picker scans by mistake. */
const WRONG = 'C-1-1';

export type ClumsyPicker = ReturnType<typeof clumsyPickerOf>;

/** Creates a person who handles each line as planned, and then checks what the station has recorded. */
export function clumsyPickerOf(shop: ReturnType<typeof useShop>, hands: ClumsyHands) {
  const { page, button, touch } = hands;
  const over = new Map<string, string>();

  /** Returns what the station has recorded for an order. Throws if the picker's hands have not done it. */
  async function checkOrder({ number, lines }: ClumsyOrder): Promise<Map<string, string>> {
    const { state, ends: now } = await orderNow(shop, number);
    for (const { name } of lines) {
      const end = now.get(name);
      if (end === undefined || end === over.get(name) || end === 'open 0' || end === 'active 0') continue;
      // The picker has finished this line, but the station has not recorded it yet.
      if (over.has(name) && end.startsWith('active')) continue;
      throw new Error(`${name} is ${end}, but the hands ${over.get(name) ?? 'did nothing there'}.`);
    }
    if (state === 'fulfilled' && lines.some(({ name, way }) => !over.has(name) && way !== 'undo, and pick again'))
      throw new Error(`${number} is fulfilled, but the hands have not finished it.`);
    return now;
  }

  /** Records that the picker's hands have finished these lines. Resolves once the station has recorded exactly that. */
  async function booked(order: ClumsyOrder, ...lines: readonly ClumsyLine[]): Promise<void> {
    for (const line of lines) over.set(line.name, endOf(line));
    await until(`${lines.map(({ name, way }) => `${name} (${way})`).join(', ')} to be booked`, async () => {
      const now = await checkOrder(order);
      return lines.every((line) => now.get(line.name) === endOf(line));
    });
  }

  const isOver = (line: ClumsyLine, number: string) => async () =>
    (await endsOf(shop, number)).get(line.name) === endOf(line);

  /** Waits until the page shows a line that the picker's hands have not finished, and returns this line. */
  async function current(order: ClumsyOrder): Promise<ClumsyLine> {
    let line: ClumsyLine | undefined;
    await until(`the next line of ${order.number}`, async () => {
      await checkOrder(order);
      const name = await hands.shown();
      line = order.lines.find((each) => each.name === name && !over.has(each.name));
      return line !== undefined;
    });
    if (line === undefined) throw new Error('It was found.');
    return line;
  }

  async function missing(): Promise<void> {
    await touch(page.getByRole('dialog').getByRole('button', { name: 'Missing' }));
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }

  async function pressAt(order: ClumsyOrder, line: ClumsyLine): Promise<void> {
    await hands.pressShelf(line, isOver(line, order.number));
    await booked(order, line);
  }

  /** Handles the line on the page as planned. */
  async function doAction(order: ClumsyOrder, line: ClumsyLine): Promise<void> {
    switch (line.way) {
      case 'scan the place slowly':
      case 'scan the place of a line without a light':
        await hands.keys(line.place, line.everyMs);
        break;
      case 'scan the place fast, with CR and LF':
        await hands.keys(line.place, line.everyMs, true);
        break;
      case 'scan the article slowly':
      case 'scan the article fast':
        await hands.keys(line.SKU, line.everyMs);
        break;
      case 'scan a wrong place first':
        await hands.keys(WRONG, line.everyMs);
        await page.getByRole('alert').getByText(`Wrong place: that was ${WRONG}.`).waitFor();
        await hands.keys(line.place, line.everyMs);
        break;
      case 'special':
      case 'touch':
      case 'touch a line without a light':
        await touch();
        break;
      case 'touch twice':
        await hands.touchTwice();
        break;
      case 'press Enter twice':
        await hands.enterTwice();
        break;
      case 'press the shelf':
        await hands.pressShelf(line, isOver(line, order.number));
        break;
      case 'press the shelf, and touch what follows too soon':
        await hands.pressAndTouch(line);
        break;
      case 'press the shelf twice': {
        const twin = order.lines.find(
          ({ place, name }) => place === line.place && name !== line.name && !over.has(name),
        );
        const isTwin = async () => twin !== undefined && isOver(twin, order.number)();
        if ((await hands.pressTwice(line, twin, isTwin)) && twin !== undefined) over.set(twin.name, endOf(twin));
        break;
      }
      case 'press the shelf out of reach, while a phone counts one piece':
        await hands.pressOutOfReach(line, () =>
          shop.call('POST', '/api/scan/', { code: line.SKU, order_number: order.number, act: true, quantity: 1 }),
        );
        break;
      case 'count down at the shelf':
        await hands.countDown(line);
        await hands.pressShelf(line, isOver(line, order.number));
        await page.getByRole('dialog').getByText(`${line.taken} of ${line.ordered} pressed at ${line.place}`).waitFor();
        await missing();
        break;
      case 'count down on the page':
        await touch(button('One less'), line.ordered - line.taken, 0);
        await page.getByLabel(`Take ${line.taken}`, { exact: true }).waitFor();
        await touch();
        await missing();
        break;
      case 'type fewer':
        await hands.keys(String(line.taken), 80);
        await page.getByLabel(`Take ${line.taken}`, { exact: true }).waitFor();
        await touch();
        await page.getByRole('dialog').getByText('How many did you find?').waitFor();
        await missing();
        break;
      case 'type 50, and say no':
        await hands.keys('50', 80);
        await page.getByLabel('Take 50', { exact: true }).waitFor();
        await touch();
        await page.getByRole('dialog').getByText(`You counted 50 of ${line.ordered}`).waitFor();
        await touch(button(`No: take ${line.ordered}`));
        await page.getByLabel(`Take ${line.ordered}`, { exact: true }).waitFor();
        await touch();
        break;
      case 'undo, and pick again':
        await hands.touchAndUndo(isOver(line, order.number));
        await until(
          'the line to be open again',
          async () => (await endsOf(shop, order.number)).get(line.name) === 'active 0',
        );
        await current(order);
        await touch();
        break;
      case 'touch line after line':
        await hands.touchEach(order.lines.length);
        return booked(order, ...order.lines);
    }
    await booked(order, line);
  }

  /** Scans the order number in any state of the page. */
  async function take({ number }: ClumsyOrder): Promise<void> {
    await hands.keys(number, 70);
    await page.waitForURL(`**/pick/${number}`);
  }

  async function rest(order: ClumsyOrder): Promise<void> {
    while (order.lines.some(({ name }) => !over.has(name))) await doAction(order, await current(order));
    await finish(order);
  }

  async function finish(order: ClumsyOrder): Promise<void> {
    await page.getByRole('heading', { name: `Order ${order.number} complete` }).waitFor();
    await checkOrder(order);
  }

  return {
    hands,
    current,
    booked,
    take,
    finish,
    pressAt,
    touchRest: rest,
    async pick(order: ClumsyOrder): Promise<void> {
      await take(order);
      await rest(order);
    },
  };
}
