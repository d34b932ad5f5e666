/**
 * The conversation of a turbo and a station for some commands, recorded once, so that either side can be measured
 * alone.
 */
import { EMPTY_SCREEN } from '#shared/screen/content.ts';
import type { Clock, Log, Show, TurboEvents } from '../electron/server/ports.ts';
import { createSimulator } from '../electron/server/simulator/simulator.ts';
import { createTrafficRegistry } from '../electron/server/turbo/trafficRegistry.ts';
import { createConnectedTurbos } from '../electron/server/turbo/connectedTurbos.ts';
import { createLoopbacks } from '../electron/server/turbo/transports/loopback.ts';
import type { Transport, TransportEvents } from '../electron/server/turbo/transports/transport.ts';
import { seededIds } from '../test/helpers/seeded.ts';
import { BODY, deviceId } from './loads.ts';

const DEVICES = 100;
const SEED = 1;
/** A stopped clock: nothing is repeated, and e-paper takes no time. */
const CLOCK: Clock = {
  now: () => 0,
  monotonic: () => 0,
  setTimer: () => ({ cancel: () => undefined }),
  onSleep: () => () => undefined,
};
const LOG: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
/** An engine that accepts everything and stores nothing. */
const ENGINE: TurboEvents = {
  sent: () => undefined,
  reachChanged: () => undefined,
  shown: () => Promise.resolve(),
  button: () => Promise.resolve(),
  ended: () => Promise.resolve(),
  heard: () => undefined,
  moved: () => undefined,
  turboChanged: () => undefined,
};

export type Conversation = {
  /** Shows requested from the station, and received bytes, in order. */
  steps: readonly (Uint8Array | { deviceId: string; show: Show })[];
  bytesHeard: number;
  bytesSaid: number;
};

/** The station's side of a wire without an engine: framing, messages, repetitions, link and turbos. */
export function startStationSide() {
  let events: TransportEvents | undefined;
  let said = 0;
  const turbos = createConnectedTurbos({
    clock: CLOCK,
    ids: seededIds(SEED),
    log: LOG,
    trafficRegistry: createTrafficRegistry(CLOCK),
  });
  turbos.start(ENGINE);
  const transport: Transport = {
    kind: 'usb',
    port: 'bench',
    canPress: false,
    open: (handlers) => void (events = handlers),
    write: (bytes) => void (said += bytes.length),
    close: () => undefined,
  };
  turbos.attach(transport);
  return {
    hear: (bytes: Uint8Array) => events?.bytes(bytes),
    want: turbos.want,
    bytesSaid: () => said,
    stop: () => turbos.stop(),
  };
}

/** Shows and presses `commands`, one after another on a hundred devices, each followed by statics. */
export async function recordConversation(commands: number): Promise<Conversation> {
  const steps: Conversation['steps'][number][] = [];
  const [heard, said] = [{ bytes: 0 }, { bytes: 0 }];
  const loopbacks = createLoopbacks({ clock: CLOCK, fraction: () => 1 });
  const turbos = createConnectedTurbos({
    clock: CLOCK,
    ids: seededIds(SEED),
    log: LOG,
    trafficRegistry: createTrafficRegistry(CLOCK),
  });
  turbos.start(ENGINE);
  const settle = async (): Promise<void> => {
    do await new Promise((resolve) => setImmediate(resolve));
    while (loopbacks.pending() > 0);
  };
  const sim = createSimulator({
    clock: CLOCK,
    ids: seededIds(SEED + 1),
    log: LOG,
    connect(faults) {
      const { station, turbo } = loopbacks.connect(faults);
      turbos.attach({
        ...station,
        open: (events) =>
          station.open({
            ...events,
            bytes(chunk) {
              steps.push(Uint8Array.from(chunk));
              heard.bytes += chunk.length;
              events.bytes(chunk);
            },
          }),
        write(bytes) {
          said.bytes += bytes.length;
          return station.write(bytes);
        },
      });
      return turbo;
    },
  });
  const want = (id: string, show: Show): void => {
    steps.push({ deviceId: id, show });
    turbos.want(id, show);
  };
  for (let number = 1; number <= DEVICES; number += 1) {
    sim.addDevice({ deviceId: deviceId(number), buttons: 1, firmware: 70 });
    sim.setDevice(deviceId(number), { refreshFullMs: 0, refreshPartialMs: 0 });
    want(deviceId(number), showOf(0));
  }
  await settle();
  for (let token = 1; token <= commands; token += 1) {
    const id = deviceId(1 + (token % DEVICES));
    want(id, showOf(token));
    await settle();
    sim.press(id, 'front', 'short');
    await settle();
    want(id, showOf(0));
    await settle();
  }
  sim.stop();
  turbos.stop();
  return { steps, bytesHeard: heard.bytes, bytesSaid: said.bytes };
}

/** As in the benches of the whole loop; 0: the background. */
function showOf(token: number): Show {
  const lines = token === 0 ? [] : [BODY.line1, BODY.line2];
  return {
    token,
    screen: { ...EMPTY_SCREEN, label: 'A-01-02', lines, quantity: token === 0 ? null : BODY.quantity },
    checksum: 1 + (token % 1_000),
    led: { mode: token === 0 ? 'off' : 'blink', hex: '#0000FF', fixedBrightness: false },
    brightness: 100,
    sound: '',
    seconds: token === 0 ? 0 : 60,
    quantity: token === 0 ? null : BODY.quantity,
  };
}
