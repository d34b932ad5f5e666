import { createSocket, type Socket } from 'node:dgram';
import { decode, encode, type Answer } from 'dns-packet';
import { onTestFinished } from 'vitest';
import { createMulticast } from '../../../electron/server/network/multicast.ts';
import type { Clock } from '../../../electron/server/ports.ts';
import type { FakeClock } from '../fakeClock.ts';

const ACCESS_POINTS = { group: '239.10.0.1', usualPort: 16_033 };
const MDNS = { group: '224.0.0.251', usualPort: 5_353 };
const LOOPBACK = '127.0.0.1';
const WLED = '_wled._tcp.local';
const OPENDISPLAY = '_opendisplay._tcp.local';

/** The hardware's answers to searches, by kind of hardware. */
type Answers = { accessPoints?: readonly Buffer[]; strips?: readonly Buffer[]; displays?: readonly Buffer[] };

/** `own` is the station's address and network, `from` the hardware's address. */
type Where = { own?: string; from?: string };

/**
 * Starts hardware on loopback and free ports that answers the searches of the returned `multicast`. `asked` resolves when each kind of
 * hardware has received a question, and `questions` counts the questions.
 */
export async function startMulticastDevices(
  clock: Clock,
  { accessPoints = [], strips = [], displays = [] }: Answers,
  { own = '127.0.0.1/8', from = LOOPBACK }: Where = {},
) {
  const questions = { accessPoints: 0, strips: 0, displays: 0 };
  const asked = {
    accessPoints: Promise.withResolvers<void>(),
    strips: Promise.withResolvers<void>(),
    displays: Promise.withResolvers<void>(),
  };
  // The station also listens on the access points' port. The other kinds use a separate port.
  const accessPoint = await openSocket(true, ACCESS_POINTS.group);
  const strip = await openSocket(false, MDNS.group);
  const mouth = await openSocket(false, undefined, from);
  const { port } = accessPoint.address();
  const stripPort = strip.address().port;
  accessPoint.on('message', (bytes) => {
    if (bytes[0] !== 0x80) return;
    questions.accessPoints += 1;
    for (const answer of accessPoints) mouth.send(answer, port, ACCESS_POINTS.group);
    asked.accessPoints.resolve();
  });
  strip.on('message', (bytes, asker) => {
    const kind = decode(bytes).questions?.[0]?.name === OPENDISPLAY ? 'displays' : 'strips';
    questions[kind] += 1;
    for (const answer of kind === 'strips' ? strips : displays) mouth.send(answer, asker.port, asker.address);
    asked[kind].resolve();
  });
  const multicast = createMulticast(clock, {
    networks: () => [own],
    portOf: (usual) => (usual === MDNS.usualPort ? stripPort : port),
  });
  return { multicast, questions, asked: Promise.all(Object.values(asked).map(({ promise }) => promise)) };
}

async function openSocket(reuseAddr: boolean, group: string | undefined, from?: string): Promise<Socket> {
  const socket = createSocket({ type: 'udp4', reuseAddr });
  onTestFinished(() => void socket.close());
  await new Promise<void>((resolve) => void socket.bind(0, from, resolve));
  if (group !== undefined) socket.addMembership(group, LOOPBACK);
  socket.setMulticastInterface(LOOPBACK);
  return socket;
}

/** Advances the clock until a search ends, and returns its result. */
export async function finish<T>(searching: Promise<T>, clock: FakeClock, asked: Promise<unknown>): Promise<T> {
  const state = { isDone: false };
  const ended = (): void => void (state.isDone = true);
  searching.then(ended, ended);
  await Promise.race([asked, searching]);
  for (let steps = 0; steps < 10 && !state.isDone; steps++) {
    for (let turns = 0; turns < 20; turns++) await new Promise(setImmediate);
    await clock.advance(500);
  }
  return searching;
}

export function accessPointReply(alias: string): Buffer {
  const bytes = Buffer.alloc(41);
  bytes[0] = 0x81;
  bytes.write(alias, 5);
  bytes[38] = 12;
  bytes.writeUInt16LE(31, 39);
  return bytes;
}

/** Returns a WLED controller's answer. `host` is the address that the controller claims, `more` the number of additional text bytes. */
export function wledReply(said: {
  name?: string;
  port?: number;
  mac?: string;
  host?: string;
  service?: string;
  more?: number;
}): Buffer {
  const { name = 'Rack 3', port = 80, mac, host, service = WLED, more = 0 } = said;
  const instance = `${name}.${service}`;
  const additionals: Answer[] = [{ type: 'SRV', name: instance, data: { port, target: 'wled-rack3.local' } }];
  if (mac !== undefined) additionals.push({ type: 'TXT', name: instance, data: ['v=1', `mac=${mac}`] });
  if (host !== undefined) additionals.push({ type: 'A', name: 'wled-rack3.local', data: host });
  if (more > 0)
    additionals.push({
      type: 'TXT',
      name: 'more.local',
      data: Array.from({ length: more / 200 }, () => 'x'.repeat(199)),
    });
  return encode({ type: 'response', answers: [{ type: 'PTR', name: service, data: instance }], additionals });
}

/** Returns an OpenDisplay display's answer, with `texts` in its TXT record. */
export function displayReply({
  name = 'OD1A2B3C',
  port = 2_446,
  texts = ['mac=a0:b1:c2:d3:e4:f5', 'tls=0', 'fw=2.26'],
  host = LOOPBACK,
}: { name?: string; port?: number; texts?: string[]; host?: string } = {}): Buffer {
  const instance = `${name}.${OPENDISPLAY}`;
  const additionals: Answer[] = [
    { type: 'SRV', name: instance, data: { port, target: 'od1a2b3c.local' } },
    { type: 'TXT', name: instance, data: texts },
    { type: 'A', name: 'od1a2b3c.local', data: host },
  ];
  return encode({ type: 'response', answers: [{ type: 'PTR', name: OPENDISPLAY, data: instance }], additionals });
}
