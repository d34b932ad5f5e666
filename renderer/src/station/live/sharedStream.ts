import type { HubMessage, TabMessage } from './hubMessages.ts';
import { decode, type OpenStream, type StreamListener } from './stream.ts';

/** A tab's connection to the hub that all tabs share. */
export type HubLink = { post(message: TabMessage): void; close(): void };

export type SharedStreamPorts = {
  /** Connects to the hub, or returns undefined if this browser cannot run one. `broken` is called if the hub will never answer. */
  link(listener: { onMessage(message: HubMessage): void; broken(): void }): HubLink | undefined;
  /** Opens a stream that only this tab uses, if there is no hub. */
  openOwn: OpenStream;
  setTimer(delayMs: number, run: () => void): () => void;
  /** Called when another tab has found that the station answers again. */
  onUp(): void;
};

export type SharedStream = {
  open: OpenStream;
  /** Signs out all tabs, after a sign-out in this one. */
  signOut(): void;
  /** Must be called when the page is hidden or closed. The page may come back. */
  leave(): void;
  /** Must be called when the page comes back. */
  comeBack(): void;
};

const PING_EVERY_MS = 2_000;
/** Number of consecutive unanswered pings after which the hub counts as dead. */
const MAX_UNANSWERED = 3;

type Stream = {
  number: number;
  after: number | undefined;
  listener: StreamListener;
  opened: boolean;
  /** Closes this tab's own stream, if such a stream has replaced that of the hub. */
  closeOwn: (() => void) | undefined;
};

/**
 * Opens the event stream of a tab. Uses the hub that all tabs share, or opens the stream directly if the hub is
 * missing or does not answer.
 */
export function createSharedStream(ports: SharedStreamPorts): SharedStream {
  let link: HubLink | undefined;
  let isTried = false;
  let current: Stream | undefined;
  let streams = 0;
  let unanswered = 0;
  let cancelPing: (() => void) | undefined;

  function post(message: TabMessage): void {
    link?.post(message);
  }

  function onMessage(message: HubMessage): void {
    if (link === undefined) return;
    unanswered = 0;
    if (message.kind === 'pong') return;
    if (message.kind === 'up') {
      if (current === undefined) ports.onUp();
      return;
    }
    if (message.stream !== current?.number) return;
    const { listener } = current;
    if (message.kind === 'opened') {
      current.opened = true;
      return listener.opened();
    }
    if (message.kind === 'failed') {
      current = undefined;
      return listener.failed(message.reason);
    }
    const stream = current;
    try {
      // Stop if a message makes the tab close the stream.
      for (const raw of message.messages) if (current === stream) listener.onMessage(decode(raw));
      post({ kind: 'took', stream: message.stream, size: message.size });
    } catch {
      end(stream);
      listener.failed('lost');
    }
  }

  function ping(): void {
    cancelPing = undefined;
    if (current === undefined || link === undefined) return;
    if (unanswered >= MAX_UNANSWERED) return giveUp();
    unanswered += 1;
    post({ kind: 'ping', stream: current.number });
    cancelPing = ports.setTimer(PING_EVERY_MS, ping);
  }

  /** Makes this tab use its own streams from now on. */
  function giveUp(): void {
    cancelPing?.();
    link?.close();
    link = undefined;
    const stream = current;
    if (stream === undefined) return;
    if (!stream.opened) {
      stream.closeOwn = ports.openOwn(stream.after, stream.listener);
      return;
    }
    current = undefined;
    stream.listener.failed('lost');
  }

  function end(stream: Stream): void {
    stream.closeOwn?.();
    if (current !== stream) return;
    current = undefined;
    cancelPing?.();
    cancelPing = undefined;
    post({ kind: 'close' });
  }

  return {
    open(after, listener) {
      if (!isTried) {
        isTried = true;
        link = ports.link({ onMessage, broken: giveUp });
      }
      if (link === undefined) return ports.openOwn(after, listener);
      streams += 1;
      const stream: Stream = { number: streams, after, listener, opened: false, closeOwn: undefined };
      current = stream;
      unanswered = 0;
      post({ kind: 'open', stream: stream.number, after });
      cancelPing?.();
      ping();
      return () => end(stream);
    },
    signOut: () => post({ kind: 'signedOut' }),
    leave: () => post({ kind: 'leave' }),
    comeBack() {
      if (current !== undefined) post({ kind: 'ping', stream: current.number });
    },
  };
}
