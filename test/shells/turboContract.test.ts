import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { noTerminals } from '../helpers/devices/turboWires.ts';
import { runTest, type TurboUnderTest } from './turboContract.ts';
import { BOARD_WAYS, openBoards, openPython, openSim, PYTHON_TURBO, PYTHON_WAYS, SIM_WAYS } from './turboPrograms.ts';
import { openShop, type TurboShop } from './turboShop.ts';

/** Returns a test function that opens a station and a turbo for it. */
function within(open: (shop: TurboShop) => Promise<TurboUnderTest>, isEncrypted = false) {
  return async () => {
    const shop = await openShop('turbo', { isEncrypted });
    return { shop, turbo: await open(shop) };
  };
}

/** Opens the station's own simulated turbo, whose buttons are pressed through the API. */
async function openLoopback(shop: TurboShop): Promise<TurboUnderTest> {
  const added = await shop.ask<{ deviceid: string }[]>('POST', '/api/simulator/devices/', { count: 2, buttons: 3 });
  const change = (path: string, body: object) => shop.ask('PATCH', `/api/simulator/${path}/`, body);
  for (const { deviceid } of added) await change(`devices/${deviceid}`, { refresh_ms: 50 });
  return {
    serialNumbers: ['SIM-1', 'SIM-1'],
    transport: 'simulated',
    devices: [added[0]?.deviceid ?? '', added[1]?.deviceid ?? ''],
    isWithinStation: true,
    async use(hand, device) {
      const [button, hold] =
        hand === 'press' || hand === 'hold' ? ['front', hand === 'hold' ? 'long' : 'short'] : [hand, 'short'];
      await shop.ask('POST', `/api/simulator/devices/${device}/press/`, { button, hold });
      return 'taken';
    },
    move: async (device, reachable) => void (await change(`devices/${device}`, { reachable })),
    async reboot() {
      await change('turbos/SIM-1', { connected: false });
      await change('turbos/SIM-1', { connected: true });
    },
    stop: () => Promise.resolve(),
  };
}

runTest({ name: 'the simulated turbo over loopback', open: within(openLoopback) });
runTest({
  name: 'the simulated turbo over a WebSocket',
  open: within((shop) => openSim(shop, SIM_WAYS['a WebSocket'])),
});
runTest({ name: 'the simulated turbo over TCP', open: within((shop) => openSim(shop, SIM_WAYS.TCP)) });
runTest({
  name: 'the simulated turbo over an encrypted WebSocket',
  open: within((shop) => openSim(shop, SIM_WAYS['a WebSocket']), true),
});
runTest({ name: 'the simulated turbo over TLS', open: within((shop) => openSim(shop, SIM_WAYS.TCP), true) });
runTest({ name: 'the turbo in Python over TCP', open: within((shop) => openPython(shop, PYTHON_WAYS.TCP)) });
runTest({ name: 'the turbo in Python over TLS', open: within((shop) => openPython(shop, PYTHON_WAYS.TCP), true) });
runTest({ name: 'boards in MicroPython over TCP', open: within((shop) => openBoards(shop, BOARD_WAYS.TCP)) });
runTest({
  name: 'boards in MicroPython over a WebSocket',
  open: within((shop) => openBoards(shop, BOARD_WAYS['a WebSocket'])),
});
runTest({
  name: 'boards in MicroPython over an encrypted WebSocket',
  open: within((shop) => openBoards(shop, BOARD_WAYS['a WebSocket']), true),
});

describe.skipIf(noTerminals !== undefined)(`serial ports${noTerminals === undefined ? '' : `: ${noTerminals}`}`, () => {
  const cable = 'a pseudo-terminal';
  runTest({ name: `the simulated turbo over ${cable}`, open: within((shop) => openSim(shop, SIM_WAYS[cable])) });
  runTest({ name: `the turbo in Python over ${cable}`, open: within((shop) => openPython(shop, PYTHON_WAYS[cable])) });
  runTest({
    name: 'boards in MicroPython over pseudo-terminals',
    open: within((shop) => openBoards(shop, BOARD_WAYS['pseudo-terminals'])),
  });
});

test('the turbo in Python passes every test vector of the page', () => {
  const { status, stdout, stderr } = spawnSync('python3', [PYTHON_TURBO, '--self-test'], { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(stdout).toBe('12 vectors are right.\n');
  expect(status).toBe(0);
});
