/**
 * Runs a station like the headless shell. It also writes every frame to and from the simulated turbo to a file, so that
 * a tracer sees the frame as a system call.
 */
import { openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createStation } from '../../../electron/server/station.ts';
import { systemPorts } from '../../../electron/server/systemPorts.ts';
import type { Transport } from '../../../electron/server/turbo/frames/transports/transport.ts';
import { ADMIN_PASSWORD, API_KEY } from '../stationProcess.ts';

const [dataFolder = '', framesFolder = ''] = process.argv.slice(2);
const toTurbo = openSync(join(framesFolder, 'to-turbo'), 'w');
const fromTurbo = openSync(join(framesFolder, 'from-turbo'), 'w');

function watchTransport(transport: Transport): Transport {
  return {
    ...transport,
    open: (events) =>
      transport.open({
        ...events,
        bytes(chunk) {
          writeSync(fromTurbo, chunk);
          events.bytes(chunk);
        },
      }),
    write(bytes) {
      writeSync(toTurbo, bytes);
      return transport.write(bytes);
    },
  };
}

const station = createStation(
  {
    host: '127.0.0.1',
    port: 0,
    dataFolder,
    simulate: 4,
    adminPassword: ADMIN_PASSWORD,
    apiKey: API_KEY,
    firstRun: 'print',
  },
  { ...systemPorts('warn', {}), watchTransport },
  join(dataFolder, 'no-page'),
);
// A signal to the tracer does not end the station, so the test needs this process id.
process.stdout.write(`pid ${process.pid}\n`);
process.once('SIGTERM', () => void station.stop());
const { url } = await station.start();
process.stdout.write(`Pickstation ready at ${url}\n`);
