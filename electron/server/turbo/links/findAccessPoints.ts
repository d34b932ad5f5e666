import type { Clock } from '../../ports.ts';

/** Where access points hear of each other. */
const GROUP = '239.10.0.1';
const PORT = 16_033;
const LIST_REQUEST = 0x80;
const LIST_REPLY = 0x81;
/** Address, alias, channel, number of tags and version, after the first byte. */
const MESSAGE_BYTES = 41;
const ALIAS = { start: 5, end: 37 } as const;
const TAG_COUNT_AT = 38;
const VERSION_AT = 39;
const MAX_FOUND = 64;
const WAIT_MS = 2_000;

export type FoundAccessPoint = { url: string; alias: string; tagCount: number; version: number };

/**
 * Asks all access points of the network once, by multicast, and collects who answers within `waitMs`. Nothing is sent
 * unless it is called. Rejects with the system's error if the port cannot be opened.
 *
 * @param where - Another group, port and interface: for tests.
 */
export async function findAccessPoints(
  clock: Clock,
  where: { port?: number; via?: string; waitMs?: number } = {},
): Promise<FoundAccessPoint[]> {
  const { port = PORT, via, waitMs = WAIT_MS } = where;
  const { createSocket } = await import('node:dgram');
  const socket = createSocket({ type: 'udp4', reuseAddr: true });
  const found = new Map<string, FoundAccessPoint>();
  socket.on('message', (bytes, { address }) => {
    const answer = parseReply(bytes, address);
    if (answer !== undefined && found.size < MAX_FOUND) found.set(address, answer);
  });
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.bind(port, () => {
        socket.addMembership(GROUP, via);
        if (via !== undefined) socket.setMulticastInterface(via);
        socket.send(request(), port, GROUP, (error) => (error === null ? undefined : reject(error)));
        clock.setTimer(waitMs, resolve);
      });
    });
    return [...found.values()];
  } finally {
    socket.close();
  }
}

function request(): Uint8Array {
  const bytes = new Uint8Array(MESSAGE_BYTES);
  bytes[0] = LIST_REQUEST;
  return bytes;
}

/** The address is that of the sender: what it says of itself may be wrong. */
function parseReply(bytes: Buffer, address: string): FoundAccessPoint | undefined {
  if (bytes[0] !== LIST_REPLY || bytes.length < MESSAGE_BYTES) return undefined;
  const alias = bytes.subarray(ALIAS.start, ALIAS.end);
  const end = alias.indexOf(0);
  return {
    url: `http://${address}/`,
    alias: alias.toString('utf8', 0, end === -1 ? alias.length : end).replace(/\p{C}/gu, ''),
    tagCount: bytes[TAG_COUNT_AT] ?? 0,
    version: bytes.readUInt16LE(VERSION_AT),
  };
}
