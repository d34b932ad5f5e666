import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { createMessageTurns } from '../../scheduling/messageTurns.ts';

/** Maximum number of unanswered requests of one connection. */
const MAX_UNANSWERED = 16;
/** Maximum number of requests that start per turn of the event loop. */
const STARTED_PER_TURN = 16;

/**
 * Handles the requests of a connection one after another: each starts a turn of the event loop after the previous answer. Node starts all
 * requests of a packet in one turn, and thousands of short ones fit into 64 KiB. Ends a connection with more than 16 unanswered requests.
 * Also limits the requests that start per turn over all connections.
 */
export function oneAtATime(app: RequestListener): RequestListener {
  const turns = createMessageTurns(STARTED_PER_TURN);
  /** The requests that have not started, by connection. Without an entry, no request of the connection is being handled. */
  const waitingOf = new WeakMap<Socket, Parameters<RequestListener>[]>();

  function start(...[req, res]: Parameters<RequestListener>): void {
    const { socket } = req;
    turns.take(() => {
      // The caller has disconnected.
      if (socket.destroyed) return;
      res.once('close', () => setImmediate(() => startNext(socket)));
      app(req, res);
    });
  }

  function startNext(socket: Socket): void {
    const next = socket.destroyed ? undefined : waitingOf.get(socket)?.shift();
    if (next === undefined) waitingOf.delete(socket);
    else start(...next);
  }

  return (req, res) => {
    const { socket } = req;
    const waiting = waitingOf.get(socket);
    if (waiting === undefined) {
      waitingOf.set(socket, []);
      start(req, res);
    } else if (waiting.length + 1 < MAX_UNANSWERED) waiting.push([req, res]);
    else socket.destroy();
  };
}
