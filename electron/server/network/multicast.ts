import type { Socket } from 'node:dgram';
import { BlockList } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Clock, Multicast, MulticastQuestion } from '../ports.ts';

/** Time until the query is repeated, in milliseconds. Wi-Fi loses multicast messages. */
const REPEAT_MS = 1_000;
const WAIT_MS = 2_500;
/** Maximum number of networks and of senders, more than any machine has or a search needs. */
const MAX_NETWORKS = 16;
const MAX_SENDERS = 256;
const MAX_OF_A_SENDER = 8;
/** Maximum size of an mDNS message. */
const MAX_BYTES = 9_000;

const INSTEAD = 'Enter the address of the device instead.';

type Where = {
  /** Addresses of this machine, each with the length of its network's prefix, such as `192.168.1.20/24`. */
  networks: () => readonly string[];
  /** Returns the port to use instead of this one, for tests. */
  portOf: (port: number) => number;
};

/** Creates multicast queries over real sockets, which are open only during a query. */
export function createMulticast(clock: Clock, where: Partial<Where> = {}): Multicast {
  const { networks = ownNetworks, portOf = (port) => port } = where;
  return {
    async ask({ group, port, bytes, answersToGroup }, onAnswer) {
      const own = networks().slice(0, MAX_NETWORKS);
      if (own.length === 0) throw new Error(`This machine has no network to search. ${INSTEAD}`);
      const addresses = own.map((network) => network.split('/')[0] ?? '');
      const isFor = fewOfEach(own);
      const { createSocket } = await import('node:dgram');
      // If a port chosen by the system is shared, the socket could receive answers to another program.
      const socket = createSocket({ type: 'udp4', reuseAddr: answersToGroup });
      socket.unref();
      socket.on('message', (message, { address }) => {
        if (isFor(address, message)) onAnswer(message, address);
      });
      const question = { group, port: portOf(port), bytes, answersToGroup };
      try {
        await bind(socket, answersToGroup ? question.port : 0);
        socket.on('error', () => undefined);
        if (answersToGroup) join(socket, group, addresses);
        await sendEach(socket, question, addresses);
        await pass(clock, REPEAT_MS);
        await sendEach(socket, question, addresses);
        await pass(clock, WAIT_MS - REPEAT_MS);
      } catch (error) {
        throw new Error(describe(error), { cause: error });
      } finally {
        socket.close();
      }
    },
  };
}

function ownNetworks(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((found) => found ?? [])
    .flatMap(({ family, internal, cidr }) => (family === 'IPv4' && !internal && cidr !== null ? [cidr] : []));
}

/**
 * Returns a function that decides whether to read a message. The message must be short, come from one of these networks, and be among the
 * first from its sender.
 */
function fewOfEach(networks: readonly string[]): (sender: string, message: Buffer) => boolean {
  const near = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    near.addSubnet(address, Number(prefix));
  }
  const counts = new Map<string, number>();
  return (sender, message) => {
    const count = counts.get(sender) ?? 0;
    if (message.length > MAX_BYTES || count >= MAX_OF_A_SENDER || !near.check(sender)) return false;
    if (count === 0 && counts.size >= MAX_SENDERS) return false;
    counts.set(sender, count + 1);
    return true;
  };
}

function bind(socket: Socket, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.bind(port, () => {
      socket.off('error', reject);
      resolve();
    });
  });
}

/** Joins the multicast group in each network. Skips networks without multicast. */
function join(socket: Socket, group: string, addresses: readonly string[]): void {
  for (const address of addresses) {
    try {
      socket.addMembership(group, address);
    } catch {
      // Ignore the error, because sending in that network fails, too.
    }
  }
}

/** Sends the query in each network. If that fails in all networks, rejects with the last reason. */
async function sendEach(
  socket: Socket,
  { group, port, bytes }: MulticastQuestion,
  addresses: readonly string[],
): Promise<void> {
  let sent = 0;
  let reason: unknown;
  for (const address of addresses) {
    try {
      socket.setMulticastInterface(address);
      await new Promise<void>((resolve, reject) => {
        socket.send(bytes, port, group, (error) => (error === null ? resolve() : reject(error)));
      });
      sent += 1;
    } catch (error) {
      reason = error;
    }
  }
  if (sent === 0) throw reason;
}

function pass(clock: Clock, delayMs: number): Promise<void> {
  return new Promise((resolve) => void clock.setTimer(delayMs, resolve));
}

function describe(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  if (code === 'EADDRINUSE')
    return `Another program on this machine is searching in a way that locks others out. ${INSTEAD} (${code})`;
  return `The system or a firewall does not allow a search of the network. ${INSTEAD} (${code})`;
}
