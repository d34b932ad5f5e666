import type { TimePorts } from '../station/silence.ts';

type Message = { kind: 'mine'; at: number; id: string } | { kind: 'left' };

/** What the tabs of a browser say to each other. A BroadcastChannel is one, and needs no secure page, as Web Locks do. */
export type TurnChannel = { post(message: Message): void; hear(listener: (message: Message) => void): void };

/** Of all tabs of a browser one plays: else each sound came from every one of them. */
export type SoundTurn = {
  isMine(): boolean;
  /** From now on it is this tab that plays: it was looked at last. */
  take(): void;
  /** This page goes; another tab that can play takes over. */
  leave(): void;
};

export type TurnPorts = TimePorts & {
  channel: TurnChannel | undefined;
  /** Of this tab, unlike any other's. */
  id: string;
  /** Uniform in [0, 1). */
  fraction(): number;
  /** Whether this tab would play, were it its turn. */
  canPlay(): boolean;
};

/** Tabs that hear that one left do not all answer in the same moment. */
const LONGEST_PAUSE_MS = 200;

export function createSoundTurn({ channel, id, now, setTimer, fraction, canPlay }: TurnPorts): SoundTurn {
  let mineSince: number | undefined;
  /** The latest that was heard of: who takes its turn after that is later, whatever the clock says. */
  let latest = 0;
  let cancel: (() => void) | undefined;

  function take(): void {
    cancel?.();
    cancel = undefined;
    mineSince = Math.max(now(), latest + 1);
    latest = mineSince;
    channel?.post({ kind: 'mine', at: mineSince, id });
  }

  channel?.hear((message) => {
    if (message.kind === 'left') {
      if (mineSince !== undefined || !canPlay()) return;
      cancel?.();
      cancel = setTimer(fraction() * LONGEST_PAUSE_MS, () => {
        if (canPlay()) take();
      });
      return;
    }
    cancel?.();
    cancel = undefined;
    latest = Math.max(latest, message.at);
    if (mineSince === undefined) return;
    // Two that took it in the same moment hear each other: one of them keeps it.
    const isLater = message.at > mineSince || (message.at === mineSince && message.id > id);
    if (isLater) mineSince = undefined;
    else channel.post({ kind: 'mine', at: mineSince, id });
  });

  return {
    isMine: () => mineSince !== undefined,
    take,
    leave() {
      cancel?.();
      cancel = undefined;
      if (mineSince === undefined) return;
      mineSince = undefined;
      channel?.post({ kind: 'left' });
    },
  };
}

/** The other tabs of this browser; undefined where they cannot be spoken to. */
export function tabChannel(): TurnChannel | undefined {
  if (!('BroadcastChannel' in window)) return undefined;
  const channel = new window.BroadcastChannel('pickstation sound');
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin: this one
    post: (message) => channel.postMessage(message),
    hear: (listener) => channel.addEventListener('message', ({ data }: MessageEvent<Message>) => listener(data)),
  };
}
