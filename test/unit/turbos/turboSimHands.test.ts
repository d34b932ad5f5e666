import { beforeEach, expect, test } from 'vitest';
import { createSimulator, type SimulatedHardware } from '../../../electron/server/simulator/simulator.ts';
import { createLoopbacks } from '../../../electron/server/turbo/frames/transports/loopback.ts';
import { obey } from '../../../electron/turboSim/hands.ts';
import { createFakeClock } from '../../helpers/fakeClock.ts';
import { seededIds } from '../../helpers/seeded.ts';

const ONE = '7C0000:000001';
const THREE = '7C0000:000002';

let hardware: SimulatedHardware;
let wires: number;

beforeEach(() => {
  const clock = createFakeClock(0);
  const loopbacks = createLoopbacks({ clock, fraction: () => 1 });
  wires = 0;
  hardware = createSimulator({
    clock,
    ids: seededIds(1),
    log: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
    connect(faults) {
      wires += 1;
      return loopbacks.connect(faults).turbo;
    },
  });
  hardware.addDevice({ deviceId: ONE, buttons: 1, firmware: 70 });
  hardware.addDevice({ deviceId: THREE, buttons: 3, firmware: 70 });
});

const say = (line: string) => obey(hardware, 'SIM-1', line);
const held = (deviceId: string) => hardware.look(deviceId)?.heldReports;

test.each([
  [`hold ${ONE}`, `${ONE} front of 0`],
  [`plus ${THREE}`, `${THREE} plus of 0`],
  [`  minus   ${THREE.toLowerCase()} `, `${THREE} minus of 0`],
])('"%s" presses a button, and the answer names device, button and command', (line, answer) => {
  const device = answer.slice(0, ONE.length);
  const before = held(device) ?? 0;
  expect(say(line)).toBe(answer);
  expect(held(device)).toBe(before + 1);
});

test('a device that holds 64 presses refuses the next', () => {
  for (let count = 0; count < 64; count += 1) expect(say(`hold ${ONE}`)).toBe(`${ONE} front of 0`);
  expect(say(`hold ${ONE}`)).toBe(`${ONE} is full and refuses the press`);
});

test('a device goes out of reach and returns', () => {
  expect(say(`away ${ONE}`)).toBe(`${ONE} is out of reach`);
  expect(hardware.findDevice(ONE)).toMatchObject({ reachable: false });
  expect(say(`back ${ONE}`)).toBe(`${ONE} is within reach`);
  expect(hardware.findDevice(ONE)).toMatchObject({ reachable: true });
});

test('a restarted turbo opens a new connection, and its devices keep their reports', () => {
  say(`hold ${ONE}`);
  const before = held(ONE);
  expect(say('restart')).toBe('SIM-1 starts anew');
  expect(wires).toBe(2);
  expect(held(ONE)).toBe(before);
});

test.each([
  [`plus ${ONE}`, `${ONE} has no plus button`],
  ['press 7C0000:000009', 'No device of this turbo: 7C0000:000009'],
  ['away', 'No device of this turbo: '],
  ['toString', 'A line says press ID, hold ID, plus ID, minus ID, away ID, back ID or restart, not "toString".'],
  [
    `restart ${ONE}`,
    `A line says press ID, hold ID, plus ID, minus ID, away ID, back ID or restart, not "restart ${ONE}".`,
  ],
])('"%s" does nothing, and says why', (line, answer) => {
  const before = [held(ONE), held(THREE), wires];
  expect(say(line)).toBe(answer);
  expect([held(ONE), held(THREE), wires]).toEqual(before);
});
