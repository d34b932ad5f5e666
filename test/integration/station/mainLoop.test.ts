import { afterEach, beforeEach, expect, test } from 'vitest';
import { startReceiver, type Receiver } from '../../helpers/servers/receiver.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const DEVICE = '51D000:000001';
const THREE_BUTTONS = '51D000:000002';

let station: TestStation;
let receiver: Receiver;

beforeEach(async () => {
  receiver = await startReceiver();
  station = await startTestStation({ simulate: 2 });
  await station.patch('/api/settings/', { callback_url: receiver.url });
});

afterEach(async () => {
  await station.stop();
  await receiver.stop();
});

test('a command lights the device, a press sends an ack, and the device shows its statics again', async () => {
  await station.post(`/api/device/${DEVICE}/`, { statica: 'on hand 240', locationoverride: 'A-1' });
  await station.clock.advance(3_000);
  const sent = await station.post(`/api/device/${DEVICE}/`, {
    command: 'flash',
    line1: 'M8',
    quantity: 3,
    nonce: 'tx1',
  });
  expect(sent).toMatchObject({ deviceid: DEVICE, state: 'queued', warnings: [] });
  await station.clock.advance(3_000);
  const lit = await station.device(DEVICE);
  expect(lit.commands).toMatchObject([{ command_id: sent['command_id'], state: 'shown', line1: 'M8' }]);
  expect(lit.displayed).toMatchObject({ led: { mode: 'blink', letter: 'R' }, screen: { label: 'A-1', lines: ['M8'] } });

  await station.press(DEVICE);
  await receiver.received(1);
  expect(receiver.payloads()).toEqual([{ acknack: 'ack', deviceid: DEVICE, location: 'A-1', nonce: 'tx1', qty: 3 }]);
  // The light turns off immediately; redrawing the screen takes longer.
  const pressed = await station.device(DEVICE);
  expect(pressed.displayed).toMatchObject({ led: { mode: 'off' }, screen: { lines: ['M8'] } });
  await station.clock.advance(3_000);
  const idle = await station.device(DEVICE);
  expect(idle).toMatchObject({ state: 'static', commands: [] });
  expect(idle.displayed).toMatchObject({ command_id: null, led: { mode: 'off' }, screen: { lines: ['on hand 240'] } });
});

test('plus and minus change the quantity that the ack reports', async () => {
  await station.post(`/api/device/${THREE_BUTTONS}/`, { line1: 'M8', quantity: 3, nonce: 'n' });
  await station.clock.advance(3_000);
  await station.press(THREE_BUTTONS, 'plus');
  await station.press(THREE_BUTTONS, 'plus');
  await station.press(THREE_BUTTONS, 'minus');
  expect((await station.device(THREE_BUTTONS)).commands[0]?.quantity).toBe(4);
  await station.press(THREE_BUTTONS);
  await receiver.received(1);
  expect(receiver.payloads()[0]).toMatchObject({ acknack: 'ack', qty: 4 });
});

test('a command without an acknowledgement times out with a nack', async () => {
  await station.post(`/api/device/${DEVICE}/`, { line1: 'M8', nonce: 'n', quantity: 2, seconds: 5 });
  await station.clock.advance(20_000);
  await receiver.received(1);
  expect(receiver.payloads()).toEqual([{ acknack: 'nack', deviceid: DEVICE, location: '', nonce: 'n', qty: 0 }]);
  expect((await station.device(DEVICE)).state).toBe('static');
});

test('a press that arrives after the timeout of its command is late and acknowledges nothing', async () => {
  await station.post(`/api/device/${DEVICE}/`, { line1: 'first', nonce: 'one', seconds: 5 });
  await station.post(`/api/device/${DEVICE}/`, { line1: 'second', nonce: 'two', seconds: 500 });
  await station.clock.advance(3_000);
  // The press is made while the turbo is disconnected, and the station ends the command before the press arrives.
  await station.patch(`/api/simulator/turbos/SIM-1/`, { connected: false });
  await station.clock.advance(1_000);
  await station.press(DEVICE);
  await station.clock.advance(30_000);
  expect((await station.device(DEVICE)).commands).toMatchObject([{ nonce: 'two' }]);
  await station.patch(`/api/simulator/turbos/SIM-1/`, { connected: true });
  await station.clock.advance(10_000);
  expect(receiver.payloads()).toMatchObject([{ acknack: 'nack', nonce: 'one' }]);
  expect((await station.device(DEVICE)).commands).toMatchObject([{ nonce: 'two', state: 'shown' }]);
  expect(station.rows('SELECT kind, command_id FROM history ORDER BY id')).toEqual([
    { kind: 'timedOut', command_id: 1 },
    { kind: 'late', command_id: 1 },
  ]);
});

test('presses at an idle device are calls with the unsolicited nonce', async () => {
  await station.post(`/api/device/${THREE_BUTTONS}/`, { unsolicitedNonce: 'bell', statica: 'x' });
  await station.clock.advance(3_000);
  await station.press(THREE_BUTTONS, 'front', 'short');
  await station.press(THREE_BUTTONS, 'front', 'long');
  await station.press(THREE_BUTTONS, 'plus');
  await station.press(THREE_BUTTONS, 'minus');
  await receiver.received(3);
  const told = new Set(receiver.payloads().map((payload) => payload['acknack']));
  expect(told).toEqual(new Set(['call', 'call_down', 'call_up']));
  expect(receiver.payloads()).toMatchObject([{ nonce: 'bell' }, { nonce: 'bell' }, { nonce: 'bell' }]);
});

test('commands queue; a repeated nonce replaces its command in place, and a press acknowledges the replacement', async () => {
  const first = await station.post(`/api/device/${DEVICE}/`, { line1: 'a', nonce: 'one' });
  await station.post(`/api/device/${DEVICE}/`, { line1: 'b', nonce: 'two' });
  await station.clock.advance(3_000);
  const again = await station.post(`/api/device/${DEVICE}/`, { line1: 'a', nonce: 'one' });
  expect(again['command_id']).not.toBe(first['command_id']);
  expect((await station.device(DEVICE)).commands.map((command) => command.nonce)).toEqual(['one', 'two']);
  await station.press(DEVICE);
  await receiver.received(1);
  expect(receiver.payloads()).toMatchObject([{ acknack: 'ack', nonce: 'one' }]);
  expect((await station.device(DEVICE)).commands.map((command) => command.nonce)).toEqual(['two']);
});

test('kill removes commands without sending callbacks', async () => {
  await station.post(`/api/device/${DEVICE}/`, { line1: 'a', nonce: 'one' });
  await station.post(`/api/device/${DEVICE}/`, { line1: 'b', nonce: 'two' });
  expect(await station.post(`/api/device/${DEVICE}/`, { command: 'kill', nonce: 'one' })).toMatchObject({ killed: 1 });
  expect(await station.post(`/api/device/${DEVICE}/`, { command: 'kill' })).toMatchObject({ killed: 1 });
  expect(await station.post(`/api/device/${DEVICE}/`, { command: 'kill' })).toMatchObject({ killed: 0 });
  await station.clock.advance(3_000);
  expect(receiver.requests).toEqual([]);
  expect((await station.device(DEVICE)).displayed).toMatchObject({ command_id: null, led: { mode: 'off' } });
});

test('deadlines survive a restart', async () => {
  await station.post(`/api/device/${DEVICE}/`, { line1: 'a', nonce: 'one', seconds: 60 });
  await station.clock.advance(3_000);
  await station.patch(`/api/simulator/turbos/SIM-1/`, { connected: false });
  await station.restart();
  expect((await station.device(DEVICE)).commands).toMatchObject([{ nonce: 'one' }]);
  await station.clock.advance(75_000);
  await receiver.received(1);
  expect(receiver.payloads()).toMatchObject([{ acknack: 'nack', nonce: 'one' }]);
});
