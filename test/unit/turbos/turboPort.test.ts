import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createTurboPort } from '../../../electron/server/turbo/frames/turboPort.ts';
import { createFakeClock } from '../../helpers/fakeClock.ts';

/** Returns whether something listens at this address. */
const listensAt = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, host);
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    onTestFinished(() => void socket.destroy());
  });

test('a port that could not be opened on any address opens at the next change of the settings', async () => {
  const quiet = (): void => undefined;
  const station = { host: '127.0.0.1', fault: '' };
  const port = createTurboPort({
    wanted: 0,
    isFixed: false,
    host: () => station.host,
    key() {
      if (station.fault !== '') throw new Error(station.fault);
      return undefined;
    },
    network: { clock: createFakeClock(0), admission: () => ({}) as never, attach: quiet },
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
  });
  await port.start();
  onTestFinished(() => port.stop());
  const number = port.port() ?? 0;
  expect(await listensAt('127.0.0.1', number)).toBe(true);

  Object.assign(station, { host: '127.0.0.2', fault: 'the certificate cannot be read' });
  await port.follow();
  expect(port.failure()).toContain('the certificate cannot be read');
  expect([port.port(), await listensAt('127.0.0.1', number)]).toEqual([undefined, false]);

  station.fault = '';
  await port.follow();
  expect([port.port(), port.failure(), await listensAt('127.0.0.2', number)]).toEqual([number, '', true]);
});
