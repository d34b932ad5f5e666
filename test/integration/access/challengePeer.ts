import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { onTestFinished } from 'vitest';
import { createWebSocketStream, WebSocket } from 'ws';
import { answerOf, NONCE_BYTES, type Transcript } from '../../../electron/server/services/turbos/turboProof.ts';
import { EXAMPLES } from '../../../electron/server/turbo/frames/protocol/examples.ts';
import { Exchange } from '../../../electron/server/turbo/frames/protocol/exchange.ts';
import type { Body, Reply, RequestMessage } from '../../../electron/server/turbo/frames/protocol/messages.ts';
import { streamTransport } from '../../../electron/server/turbo/frames/transports/stream.ts';
import type { TestStation } from '../../helpers/startTestStation.ts';

export type ChallengedTurbo = { serialNumber: string; username: string; key: string };
export type Challenge = { transcript: Transcript; challenge: Uint8Array };

const CLOSED = new Error('The station closed the connection.');

let boots = 0;

/** Connects as a turbo that sends raw frames to the station. `passed` collects all bytes in both directions. */
export function challengePeer(station: TestStation, way: 'websocket' | 'tcp' = 'websocket') {
  const { clock } = station;
  const stream =
    way === 'tcp'
      ? connect(station.started.turboPort() ?? 0, '127.0.0.1')
      : createWebSocketStream(new WebSocket(`${station.url.replace('http', 'ws')}turbo/?sign_in=challenge`));
  const transport = streamTransport(stream, { clock, kind: 'network', port: 'far' });
  const passed: Uint8Array[] = [];
  let isClosed = false;
  let waiting = (_error: Error): void => undefined;
  const exchange = new Exchange({
    clock,
    side: 'turbo',
    firstSeq: 1_000,
    write(bytes) {
      passed.push(Uint8Array.from(bytes));
      return transport.write(bytes);
    },
    requested: (request, ticket) =>
      request.name === 'sync'
        ? exchange.reply(ticket, { name: 'synced', body: { devices: 0 } })
        : exchange.ack(ticket, 'ok'),
    tap: undefined,
  });
  exchange.window = 32;
  transport.open({
    bytes(chunk) {
      passed.push(Uint8Array.from(chunk));
      exchange.receive(chunk);
    },
    closed() {
      isClosed = true;
      waiting(CLOSED);
    },
  });
  const stop = (): void => {
    exchange.stop();
    transport.close();
  };
  onTestFinished(stop);
  const bootId = (boots += 1);

  const ask = (request: RequestMessage): Promise<Reply> =>
    new Promise((resolve, reject) => {
      if (isClosed) return reject(CLOSED);
      waiting = reject;
      exchange.request({ request: () => request, replied: resolve });
    });

  async function hello(change: Partial<Body<'hello'>>): Promise<Body<'welcome'>> {
    const body = { ...EXAMPLES.hello, uptimeS: 0, username: undefined, secret: undefined, bootId, ...change };
    const answer = await ask({ name: 'hello', body });
    if (answer.name !== 'welcome') throw new Error(`A hello was answered ${answer.name}.`);
    return answer.body;
  }

  async function challenged(
    { serialNumber, username }: Omit<ChallengedTurbo, 'key'>,
    turboNonce: Uint8Array = randomBytes(NONCE_BYTES),
  ): Promise<Challenge> {
    const { challenge = new Uint8Array(), status } = await hello({ serialNumber, username, nonce: turboNonce });
    if (status !== 'challenged') throw new Error(`A nonce was answered ${status}.`);
    const stationNonce = challenge.slice(0, NONCE_BYTES);
    return { transcript: { serialNumber, username, turboNonce, stationNonce }, challenge: challenge.slice() };
  }

  const answer = ({ transcript: { serialNumber, username, turboNonce } }: Challenge, bytes: Uint8Array) =>
    hello({ serialNumber, username, nonce: turboNonce, answer: bytes });

  return {
    passed,
    ask,
    hello,
    challenged,
    /** Answers a challenge with these bytes. */
    answer,
    async signIn(turbo: ChallengedTurbo): Promise<Body<'welcome'>['status']> {
      const given = await challenged(turbo);
      return (await answer(given, answerOf(turbo.key, given.transcript))).status;
    },
    isClosed: () => isClosed,
    stop,
  };
}
