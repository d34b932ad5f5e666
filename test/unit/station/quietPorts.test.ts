import { expect, test } from 'vitest';
import { quietPorts } from '../../../electron/server/check/quietPorts.ts';
import type { Log } from '../../../electron/server/ports.ts';
import type { StationPorts } from '../../../electron/server/stationPorts.ts';

const LOG: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const LINE = { path: '/dev/ttyUSB0', baudRate: 115_200, flowControl: false };

/** Returns fake ports to the outside world that record every call. */
function outside(touched: string[]): StationPorts {
  const noting = (name: string): object =>
    new Proxy(() => undefined, {
      get: (_target, part) => noting(`${name}.${String(part)}`),
      apply: () => {
        touched.push(name);
        return noting(name);
      },
    });
  return noting('ports') as StationPorts;
}

test('calls to the ports of a checked station never reach the outside', async () => {
  const touched: string[] = [];
  const ports = quietPorts(outside(touched), LOG);
  const request = { method: 'POST', url: 'http://a.example/', headers: {}, body: undefined } as never;
  const folder = await ports.folders.open('/in');
  const answers = await Promise.allSettled([
    ports.http.send(request).answer,
    ports.sheetHttp.send(request).answer,
    ports.mailer.send({} as never, {} as never).answer,
    ports.loadBroker().then((client) => client.connect({} as never, '5', {} as never).ready),
    ports.serial.list(),
    ports.serial.open(LINE),
    ports.multicast.ask({} as never, () => undefined),
    folder.list(() => true),
    folder.identities(),
    folder.find('a.csv'),
    folder.makeFolder('done'),
    folder.read('a.csv', 10),
    folder.write('a.csv', ''),
    folder.move('a.csv', { folder, name: 'a.csv' }),
    folder.take('/in/a.csv', 'a.csv'),
    folder.close(),
  ]);
  ports.folders.watch('/in', () => undefined)();
  ports.joinTurbos(() => () => undefined, {} as never);
  expect(ports.connectsLinks).toBe(false);
  expect(answers.map(({ status }) => (status === 'fulfilled' ? 'none' : 'no'))).toEqual([
    'no',
    'no',
    'no',
    'no',
    'none',
    'no',
    'no',
    'none',
    'none',
    'none',
    'none',
    'none',
    'no',
    'no',
    'no',
    'none',
  ]);
  expect(touched).toEqual([]);
});
