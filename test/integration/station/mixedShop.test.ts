import type { Duplex } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import type { Order } from '#shared/api/order.ts';
import type { Multicast, SerialPorts } from '../../../electron/server/ports.ts';
import { startFakeAccessPoint } from '../../helpers/devices/fakeAccessPoint.ts';
import { createFakeClock } from '../../helpers/fakeClock.ts';
import { FakeDisplay } from '../../helpers/devices/fakeDisplay.ts';
import { deviceIdOf, FlashChip, MicroPythonBoard, type BoardLink } from '../../helpers/boards/microPythonBoard.ts';
import { displayReply } from '../../helpers/devices/multicastDevices.ts';
import { startReceiver } from '../../helpers/servers/receiver.ts';
import { openStreams } from '../../helpers/devices/serialMachine.ts';
import { START_MS, startTestStation } from '../../helpers/startTestStation.ts';
import { countedHttp, startWled } from '../../helpers/devices/wledController.ts';

const SIMULATED = '51D000:000001';
const PLACE = 'D3E4F5:000001';
const TAG = 'A0B1C2:000001';
const DISPLAY = 'A0B1C2:D3E4F5';
const BOARD = deviceIdOf('chip-1');
const PORT = '/dev/ttyACM0';
/** Interval in milliseconds at which a board polls its buttons and its cable. */
const STEP_MS = 20;
const PATIENCE = 400;

/** Returns a board's USB cable. Opening its port plugs the cable in. */
function openCable(): BoardLink & { plugIn(): Duplex } {
  let far: Duplex | undefined;
  let came: Uint8Array[] = [];
  return {
    plugIn() {
      const [near, mine] = openStreams();
      far = mine;
      far.on('data', (chunk: Uint8Array) => came.push(chunk));
      return near;
    },
    start: () => undefined,
    isReady: () => true,
    read(most) {
      const all = Buffer.concat(came);
      came = all.length > most ? [all.subarray(most)] : [];
      return all.subarray(0, most);
    },
    write: (data) => void far?.write(data),
    stop: () => undefined,
  };
}

test.each([
  ['without a restart', false],
  ['with a station restart during picking', true],
])(
  '%s: picks one order on a simulated device, an LED strip, a tag, a board and a display, and reports each press once',
  async (_when, isStopped) => {
    const clock = createFakeClock(START_MS);
    const http = countedHttp();
    const wled = await startWled();
    const accessPoint = await startFakeAccessPoint(clock, [{ mac: '0000A0B1C2000001', type: '33' }]);
    const display = await new FakeDisplay(clock).start();
    const multicast: Multicast = {
      ask: async (_question, heard) => heard(displayReply({ port: display.port }), '127.0.0.1'),
    };
    const cable = openCable();
    const serial: SerialPorts = {
      list: () => Promise.resolve([]),
      open: () => Promise.resolve(cable.plugIn()),
      reset: () => Promise.resolve(),
    };
    clock.whenIdle(() => http.open() === 0 && accessPoint.idle(), 'the hardware');
    const station = await startTestStation({ clock, http, serial, multicast, simulate: 1 });
    const receiver = await startReceiver();
    const board = await MicroPythonBoard.boot({
      uniqueId: 'chip-1',
      config: { transport: 'usb' },
      flash: new FlashChip(),
      refreshMs: 300,
      link: cable,
      now: () => clock.monotonic(),
    });
    const step = (): void => {
      board.step();
      clock.setTimer(STEP_MS, step);
    };
    step();
    const until = async (what: string, isSo: () => Promise<boolean>): Promise<void> => {
      for (let turns = 0; turns < PATIENCE; turns += 1) {
        if (await isSo()) return;
        await clock.advance(500);
      }
      throw new Error(`Waited for ${what}, in vain.`);
    };
    onTestFinished(async () => {
      await station.stop();
      await Promise.all([wled.stop(), accessPoint.stop(), display.stop(), receiver.stop()]);
    });
    await station.patch('/api/settings/', { callback_url: receiver.url });
    await station.post('/api/turbo/links/', { path: PORT });
    await station.post('/api/turbo/links/', {
      kind: 'wled',
      url: wled.url,
      places: [{ label: 'Strip', start: 0, count: 3 }],
    });
    await station.post('/api/turbo/links/', { kind: 'openepaperlink', url: accessPoint.url });
    await station.post('/api/turbo/links/', { kind: 'opendisplay', url: display.url });
    const all = [SIMULATED, PLACE, TAG, BOARD, DISPLAY];
    await until('all devices', async () => {
      const known = await station.get<string[]>('/api/device/');
      return all.every((id) => known.includes(id));
    });
    const places = { [SIMULATED]: 'Shelf', [TAG]: 'Tag', [BOARD]: 'Board', [DISPLAY]: 'Display' };
    for (const [id, label] of Object.entries(places))
      await station.post(`/api/device/${id}/`, { locationoverride: label });

    const items = ['Shelf', 'Strip', 'Tag', 'Board', 'Display'].map((warehouse_location, index) => ({
      name: `Article ${index + 1}`,
      ordered_quantity: index + 1,
      warehouse_location,
      callback_nonce: warehouse_location,
    }));
    await station.post('/api/orders/', { order_number: 'SO-1', shipments: [{ shipment_number: '1', items }] });
    await station.post('/api/orders/SO-1/launch/', {});
    const stateOf = async (id: string) => (await station.device(id)).commands[0]?.state;
    for (const id of all) await until(`${id} to be lit`, async () => (await stateOf(id)) === 'shown');
    expect(wled.colors()[0]).not.toBe('000000');
    expect((await station.device(TAG)).capabilities).toMatchObject({ latency: 'slow' });

    await station.press(SIMULATED);
    const drawnBefore = display.drawn.length;
    if (isStopped) await station.halt();
    accessPoint.tag('0000A0B1C2000001').press();
    expect(board.press('front')).toBeGreaterThan(0);
    if (isStopped) await station.restart();
    if (isStopped) await until('the display to be drawn again', async () => display.drawn.length > drawnBefore);
    display.press(0);
    const command_id = (await station.device(PLACE)).commands[0]?.command_id;
    await station.post(`/api/device/${PLACE}/acknowledge/`, { command_id });
    const order = () => station.get<Order>('/api/orders/SO-1/');
    await until('the order to be fulfilled', async () => (await order()).state === 'fulfilled');
    await until('the strip to be dark', async () => wled.colors()[0] === '000000');
    await station.clock.advance(120_000);
    for (const event of ['device_ack', 'item_added']) {
      const told = receiver.payloads().filter(({ order_event }) => order_event === event);
      expect(told).toHaveLength(all.length);
      expect(new Set(told.map(({ nonce }) => nonce))).toEqual(new Set(['Board', 'Display', 'Shelf', 'Strip', 'Tag']));
    }
    for (const id of all) expect((await station.device(id)).commands).toEqual([]);
  },
);
