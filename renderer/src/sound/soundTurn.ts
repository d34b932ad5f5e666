import type { TimePorts } from '../station/live/silence.ts';

type Message = { kind: 'mine'; at: number; id: string } | { kind: 'left' };

/** Messages between the tabs of a browser. A BroadcastChannel works without HTTPS, unlike Web Locks. */
export type TurnChannel = { post(message: Message): void; onMessage(listener: (message: Message) => void): void };

/** Lets only one tab of a browser play sounds, so that each sound is heard once. */
export type SoundTurn = {
  isMine(): boolean;
  /** Makes this tab the one that plays sounds. Called when the user turns to this tab. */
  take(): void;
  /** Lets another tab that can play sounds take over. Must be called when the page is closed or hidden. */
  leave(): void;
};

export type TurnPorts = TimePorts & {
  channel: TurnChannel | undefined;
  /** A unique id of this tab. */
  id: string;
  /** Returns a random number, uniform in [0, 1). */
  fraction(): number;
  /** Returns whether this tab is able to play sounds. */
  canPlay(): boolean;
};

/** Maximum of the random time in milliseconds that tabs wait before they take over, so that they do not all take over at once. */
const LONGEST_PAUSE_MS = 200;

export function createSoundTurn({ channel, id, now, setTimer, fraction, canPlay }: TurnPorts): SoundTurn {
  let mineSince: number | undefined;
  /** Time of the latest known turn. Each new turn gets a later time, even if the clock was set back. */
  let latest = 0;
  let cancel: (() => void) | undefined;

  function take(): void {
    cancel?.();
    cancel = undefined;
    mineSince = Math.max(now(), latest + 1);
    latest = mineSince;
    channel?.post({ kind: 'mine', at: mineSince, id });
  }

  channel?.onMessage((message) => {
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
    // If two tabs took the turn at the same moment, the one with the greater id keeps it.
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

/** Returns the channel to other tabs of this browser, or undefined if the browser does not support it. */
export function tabChannel(): TurnChannel | undefined {
  if (!('BroadcastChannel' in window)) return undefined;
  const channel = new window.BroadcastChannel('pickstation sound');
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin: this one
    post: (message) => channel.postMessage(message),
    onMessage: (listener) => channel.addEventListener('message', ({ data }: MessageEvent<Message>) => listener(data)),
  };
}
