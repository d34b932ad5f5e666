import { EMPTY_SCREEN } from '#shared/screen/content.ts';
import type {
  ButtonReport,
  DeviceStatus,
  EndedReport,
  Log,
  Show,
  ShownReport,
  TurboEvents,
  TurboState,
} from '../../../electron/server/ports.ts';
import { createSimulator } from '../../../electron/server/simulator/simulator.ts';
import { createConnectedTurbos } from '../../../electron/server/turbo/connectedTurbos.ts';
import { decodePayload } from '../../../electron/server/turbo/frames/protocol/codec.ts';
import { EXAMPLES } from '../../../electron/server/turbo/frames/protocol/examples.ts';
import { Exchange, type Ticket } from '../../../electron/server/turbo/frames/protocol/exchange.ts';
import { CRC_BYTES, FLAG_REPLY, HEADER_BYTES } from '../../../electron/server/turbo/frames/protocol/frame.ts';
import type {
  AckStatus,
  Body,
  Message,
  Reply,
  RequestMessage,
} from '../../../electron/server/turbo/frames/protocol/messages.ts';
import { Reader } from '../../../electron/server/turbo/frames/protocol/wire.ts';
import {
  createTrafficRegistry,
  type ConnectionTraffic,
} from '../../../electron/server/turbo/traffic/trafficRegistry.ts';
import { createLoopbacks } from '../../../electron/server/turbo/frames/transports/loopback.ts';
import type { Admission } from '../../../electron/server/ports.ts';
import { createFakeClock } from '../../helpers/fakeClock.ts';
import { seededFraction, seededIds } from '../../helpers/seeded.ts';

export const DEVICE = '51D000:000001';
export const THREE_BUTTONS = '51D000:000002';
export const BITMAP_DEVICE = '51D000:000003';

export type RigReport =
  | { kind: 'sent'; deviceId: string; token: number }
  | { kind: 'reachChanged'; deviceId: string }
  | ({ kind: 'shown' } & ShownReport)
  | ({ kind: 'button' } & ButtonReport)
  | ({ kind: 'ended' } & EndedReport)
  | { kind: 'heard'; turbo: string; deviceId: string; status: DeviceStatus }
  | { kind: 'moved'; deviceId: string; rssiDbm: number | undefined }
  | { kind: 'turboChanged'; state: TurboState };

export function silentLog(): Log & { lines: string[] } {
  const lines: string[] = [];
  const write = (_fields: object, message: string): void => void lines.push(message);
  return { lines, debug: write, info: write, warn: write, error: write };
}

/** Returns a command whose checksum is derived from its text, like the engine's checksums. */
export function command(token: number, text: string, change: Partial<Show> = {}): Show {
  return {
    token,
    screen: { ...EMPTY_SCREEN, label: 'A-01', lines: [text] },
    checksum: Buffer.from(text).reduce((sum, byte) => (sum * 31 + byte) >>> 0, 17),
    led: { mode: 'blink', hex: '#FF0000', fixedBrightness: false },
    brightness: 80,
    sound: '',
    seconds: 60,
    quantity: null,
    ...change,
  };
}

export function statics(text: string): Show {
  return command(0, text, { led: { mode: 'off', hex: '#000000', fixedBrightness: false }, seconds: 0 });
}

export type RigOptions = {
  seed?: number;
  devices?: boolean;
  /** Air time of a frame to a device, in milliseconds. */
  frameMs?: number;
  /** Returns the milliseconds by which the station's monotonic clock is ahead, as after the machine has slept. */
  sleptMs?: () => number;
};

/** Starts the station side and a simulated turbo on a fake clock, with an engine that records its reports. */
export async function startRig({ seed = 1, devices = true, frameMs = 0, sleptMs = () => 0 }: RigOptions = {}) {
  const clock = createFakeClock(1_800_000_000_000);
  const ids = seededIds(seed);
  const log = silentLog();
  const told: RigReport[] = [];
  const messages: { direction: 'in' | 'out'; message: Message }[] = [];
  /** Handles each report in place of the engine. Tests can replace it. */
  const engine = { take: async (_told: RigReport): Promise<void> => {} };
  const take = (entry: RigReport): Promise<void> => {
    told.push(entry);
    return engine.take(entry);
  };
  const events: TurboEvents = {
    sent: (deviceId, token) => void told.push({ kind: 'sent', deviceId, token }),
    reachChanged: (deviceId) => void told.push({ kind: 'reachChanged', deviceId }),
    shown: (report) => take({ kind: 'shown', ...report }),
    button: (report) => take({ kind: 'button', ...report }),
    ended: (report) => take({ kind: 'ended', ...report }),
    statusReceived: (turbo, deviceId, status) => void told.push({ kind: 'heard', turbo, deviceId, status }),
    moved: (deviceId, rssiDbm) => void told.push({ kind: 'moved', deviceId, rssiDbm }),
    turboChanged: (state) => void told.push({ kind: 'turboChanged', state }),
  };
  const traffics = createTrafficRegistry(clock);
  const turbos = createConnectedTurbos({
    clock: { ...clock, monotonic: () => clock.monotonic() + sleptMs() },
    ids,
    log,
    trafficRegistry: { ...traffics, begin: () => listening(traffics.begin(), messages) },
  });
  turbos.start(events);
  const wires = createLoopbacks({ clock, fraction: seededFraction(seed + 1) });
  clock.whenIdle(() => wires.pending() === 0, 'the wires');
  const sim = createSimulator({
    clock,
    ids,
    log,
    radio: { loss: 0, latencyMs: 0, frameMs, fraction: () => 1 },
    connect(faults) {
      const { station, turbo } = wires.connect(faults);
      turbos.attach(station);
      return turbo;
    },
  });
  if (devices) {
    sim.addDevice({ deviceId: DEVICE, buttons: 1, firmware: 70 });
    sim.addDevice({ deviceId: THREE_BUTTONS, buttons: 3, firmware: 70 });
    sim.addDevice({ deviceId: BITMAP_DEVICE, buttons: 1, firmware: 40 });
  }
  await clock.advance(0);
  return {
    clock,
    turbos,
    traffics,
    sim,
    wires,
    ids,
    log,
    told,
    messages,
    engine,
    events,
    /** Returns the recorded reports of one kind. */
    of: <K extends RigReport['kind']>(kind: K) =>
      told.filter((entry): entry is Extract<RigReport, { kind: K }> => entry.kind === kind),
    /** Returns the backgrounds that the station sent for devices that show a command. */
    keepsSent: () =>
      messages.flatMap(({ direction, message }) =>
        direction === 'out' && message.name === 'keep' ? [message.body] : [],
      ),
    /** Returns the show messages that the station sent, including repetitions. */
    showsSent: () =>
      messages.flatMap(({ direction, message }) =>
        direction === 'out' && message.name === 'show' ? [message.body] : [],
      ),
    forgetPast() {
      told.length = 0;
      messages.length = 0;
    },
    stop() {
      sim.stop();
      turbos.stop();
    },
  };
}

export type Rig = Awaited<ReturnType<typeof startRig>>;

/** Records the messages in both directions, except repetitions from the turbo. */
function listening(
  traffic: ConnectionTraffic,
  messages: { direction: 'in' | 'out'; message: Message }[],
): ConnectionTraffic {
  const reader = new Reader();
  return {
    ...traffic,
    frame(direction, bytes, repeated) {
      traffic.frame(direction, bytes, repeated);
      const frame = Buffer.from(bytes);
      const isReply = ((frame[3] ?? 0) & FLAG_REPLY) !== 0;
      if (repeated && (direction === 'in' || isReply)) return;
      const message = decodePayload(frame[2] ?? 0, reader.over(frame, HEADER_BYTES, frame.length - CRC_BYTES));
      if (typeof message === 'object') messages.push({ direction, message });
    },
  };
}

/** Connects a turbo that sends only the frames requested by a test, even invalid ones. */
export function attachPeer(
  rig: Pick<Rig, 'clock' | 'turbos' | 'wires'>,
  faults = { loss: 0, latencyMs: 0 },
  admission?: Admission,
  /** Address and port of the peer. */
  from = 'loopback',
) {
  const wire = rig.wires.connect(faults);
  const requests: { request: RequestMessage; ticket: Ticket }[] = [];
  const replies: Reply[] = [];
  const peer = {
    /** Requests from the station, and the station's answers to the peer's requests. */
    requests,
    replies,
    closed: undefined as string | undefined,
    /** The raw bytes from the station. */
    received: [] as Uint8Array[],
    /** The peer's answer to a show message. With `silent`, it does not answer. */
    showAnswer: 'ok' as AckStatus | 'silent',
    /** The peer's answer to a background. With `silent`, it does not answer. */
    keepAnswer: 'ok' as AckStatus | 'silent',
    /** The peer's answer to a sync. With `silent`, it does not answer. */
    syncAnswer: 'synced' as 'synced' | 'refused' | 'silent',
    exchange: new Exchange({
      clock: rig.clock,
      side: 'turbo',
      firstSeq: 1_000,
      write: (bytes) => wire.turbo.write(bytes),
      requested(request, ticket) {
        requests.push({ request, ticket });
        if (request.name === 'sync') {
          if (peer.syncAnswer === 'refused') peer.exchange.ack(ticket, 'refused');
          else if (peer.syncAnswer === 'synced') peer.exchange.reply(ticket, { name: 'synced', body: { devices: 0 } });
        } else if (request.name === 'keep') {
          if (peer.keepAnswer !== 'silent') peer.exchange.ack(ticket, peer.keepAnswer);
        } else if (peer.showAnswer !== 'silent') peer.exchange.ack(ticket, peer.showAnswer);
      },
      tap: undefined,
    }),
    send: (request: RequestMessage) =>
      peer.exchange.request({ request: () => request, replied: (reply) => void replies.push(reply) }),
    hello: (change: Partial<Body<'hello'>> = {}) =>
      peer.send({ name: 'hello', body: { ...EXAMPLES.hello, serialNumber: 'T-1', ...change } }),
    status: (change: Partial<Body<'deviceStatus'>> = {}) =>
      peer.send({
        name: 'deviceStatus',
        body: {
          ...EXAMPLES.deviceStatus,
          device: DEVICE,
          shownToken: 0,
          shownChecksum: undefined,
          remainingMs: undefined,
          backgroundChecksum: undefined,
          ...change,
        },
      }),
    press: (change: Partial<Body<'button'>> = {}) =>
      peer.send({ name: 'button', body: { ...EXAMPLES.button, device: DEVICE, quantity: undefined, ...change } }),
    /** Reports that the device has shown this content for `ageMs` milliseconds. */
    shown: ({ token, checksum }: Pick<Show, 'token' | 'checksum'>, ageMs = 0) =>
      peer.send({ name: 'shown', body: { device: DEVICE, token, checksum, ageMs } }),
    /** Answers all show messages that have not been answered. */
    answerShows(status: AckStatus) {
      for (const { request, ticket } of requests) if (request.name === 'show') peer.exchange.ack(ticket, status);
    },
    /** Answers all backgrounds that have not been answered. */
    answerKeeps(status: AckStatus) {
      for (const { request, ticket } of requests) if (request.name === 'keep') peer.exchange.ack(ticket, status);
    },
    keeps: () => requests.flatMap(({ request }) => (request.name === 'keep' ? [request.body] : [])),
    shows: () => requests.flatMap(({ request }) => (request.name === 'show' ? [request.body] : [])),
    stop: () => {
      peer.exchange.stop();
      wire.turbo.close();
    },
  };
  wire.turbo.open({
    bytes(chunk) {
      peer.received.push(Uint8Array.from(chunk));
      peer.exchange.receive(chunk);
    },
    closed: (reason) => {
      peer.closed = reason;
    },
  });
  const detach = rig.turbos.attach(admission === undefined ? wire.station : { ...wire.station, admission, port: from });
  peer.exchange.window = 32;
  return Object.assign(peer, { detach, wire });
}

export type Peer = ReturnType<typeof attachPeer>;
export type Wish = Parameters<Rig['turbos']['want']>[1];

/** Starts two turbos in range of one device. The nearer turbo serves the device. */
export async function startTwo(): Promise<{ rig: Rig; near: Peer; far: Peer }> {
  const rig = await startRig({ devices: false });
  const near = attachPeer(rig);
  near.hello({ serialNumber: 'NEAR' });
  near.status({ rssiDbm: -50 });
  const far = attachPeer(rig);
  far.hello({ serialNumber: 'FAR' });
  far.status({ rssiDbm: -70 });
  await rig.clock.advance(0);
  return { rig, near, far };
}

/** Returns the tokens of all screens sent to a turbo. */
export const tokens = (peer: Peer): number[] => peer.shows().map(({ token }) => token);

/** Returns the status fields with which a device reports this content on its screen. */
export const shows = ({ token, checksum }: { token: number; checksum: number }) => ({
  shownToken: token,
  shownChecksum: checksum,
});

export async function wantAll(rig: Rig, wishes: readonly Wish[]): Promise<void> {
  for (const wish of wishes) rig.turbos.want(DEVICE, wish);
  await rig.clock.advance(0);
}
