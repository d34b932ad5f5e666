import { spawnSync } from 'node:child_process';
import type { Duplex } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { infoOf, systemSerialPorts } from '../../../electron/server/network/serialPorts.ts';
import { noTerminals, openCable } from '../../helpers/devices/turboWires.ts';

test('describes a port in the same way on every system: ids in lower case, and empty strings for missing fields', () => {
  expect(
    infoOf({ path: 'COM3', vendorId: '10C4', productId: 'EA60', serialNumber: 'Ab1', manufacturer: 'Silicon' }),
  ).toEqual({
    path: 'COM3',
    vendorId: '10c4',
    productId: 'ea60',
    serialNumber: 'Ab1',
    manufacturer: 'Silicon',
    locationId: '',
  });
  expect(infoOf({ path: '/dev/ttyS0' })).toEqual({
    path: '/dev/ttyS0',
    vendorId: '',
    productId: '',
    serialNumber: '',
    manufacturer: '',
    locationId: '',
  });
});

describe.skipIf(noTerminals !== undefined)(`a real port${noTerminals === undefined ? '' : `: ${noTerminals}`}`, () => {
  const ports = systemSerialPorts();
  let cable: Awaited<ReturnType<typeof openCable>>;
  let path: string;
  let stream: Duplex | undefined;

  beforeEach(async () => {
    cable = await openCable();
    [path] = cable.paths;
  });

  afterEach(() => {
    stream?.destroy();
    cable.unplug();
  });

  /** Returns the port's settings according to the system's own tool. */
  const settings = () => spawnSync('stty', ['-F', path, '-a'], { encoding: 'utf8' }).stdout;

  test.each([
    [115_200, true, ' crtscts'],
    [921_600, false, ' -crtscts'],
    [2_000_000, true, ' crtscts'],
  ])(
    'opens at %i baud with flow control %s, 8 bits, no parity, one stop bit and no translation',
    async (baudRate, flowControl, word) => {
      stream = await ports.open({ path, baudRate, flowControl });
      const said = settings();
      expect(said).toContain(`speed ${baudRate} baud;`);
      for (const setting of [word, ' -parenb', ' cs8', ' -cstopb', ' -ixon', ' -icanon', ' -echo', ' -opost']) {
        expect(said.replaceAll('\n', ' ')).toContain(setting);
      }
    },
  );

  test('is locked while open, and free afterwards', async () => {
    stream = await ports.open({ path, baudRate: 921_600, flowControl: false });
    await expect(ports.open({ path, baudRate: 921_600, flowControl: false })).rejects.toThrow(/lock/i);
    const closed = new Promise((resolve) => stream?.once('close', resolve));
    stream.destroy();
    await closed;
    stream = await ports.open({ path, baudRate: 921_600, flowControl: false });
  });
});
