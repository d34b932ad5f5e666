/** A simulated turbo with its devices, as a separate program. It connects over a real wire, like hardware. */
import { createInterface } from 'node:readline';
import { StationError } from '../server/errors.ts';
import { createSimulator } from '../server/simulator/simulator.ts';
import { systemPorts } from '../server/systemPorts.ts';
import { obey } from './hands.ts';
import { readOptions, USAGE } from './options.ts';
import { openWire } from './wire.ts';

/** Duration of a partial refresh, relative to a full one. Same as for devices inside a station, where the API sets the full duration. */
const PARTIAL_PART = 0.15;

try {
  run();
} catch (error) {
  if (!(error instanceof StationError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

function run(): void {
  const options = readOptions(process.argv.slice(2), process.env);
  if (options === 'help') {
    process.stdout.write(USAGE);
    return;
  }
  const { clock, ids, log, serial } = systemPorts(options.logLevel, process.env);
  const print = (text: string): void => void process.stdout.write(`${text}\n`);
  const simulator = createSimulator({
    clock,
    ids,
    log,
    identity: { serialNumber: options.serialNumber, name: options.name, signIn: options.signIn },
    radio: {
      loss: options.radioLoss,
      latencyMs: options.latencyMs,
      frameMs: options.airtimeMs,
      fraction: ids.fraction,
    },
    connect: () => openWire(options, { clock, serial, say: print }),
  });
  for (const deviceId of options.deviceIds) {
    simulator.addDevice({ deviceId, buttons: Number.parseInt(deviceId.slice(-1), 10) % 2 === 0 ? 3 : 1, firmware: 70 });
    simulator.setDevice(deviceId, {
      refreshFullMs: options.refreshMs,
      refreshPartialMs: Math.round(options.refreshMs * PARTIAL_PART),
    });
    if (options.pressAfterMs !== undefined) simulator.setDevice(deviceId, { pressAfterMs: options.pressAfterMs });
  }
  print(`${options.serialNumber} with ${options.deviceIds.length} devices, ${options.where}`);
  if (options.hands) {
    createInterface({ input: process.stdin }).on('line', (line) => {
      if (line.trim() !== '') print(obey(simulator, options.serialNumber, line));
    });
  }
  // Keep the process alive, because the clock's timers do not.
  const alive = setInterval(() => undefined, 60_000);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      clearInterval(alive);
      simulator.stop();
      setImmediate(() => process.exit(0));
    });
  }
}
