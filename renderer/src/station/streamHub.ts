import type { HubMessage, TabMessage } from './hubMessages.ts';
import { Silence, type TimePorts, SILENCE_MS } from './silence.ts';
import type { OpenRawStream, RawMessage, StreamEnd } from './stream.ts';

export type HubPorts = TimePorts & {
  openStream: OpenRawStream;
  /** Calls `run` after the current task, so that messages that arrive together are sent together. */
  soon(run: () => void): void;
};

/** Receives the messages of a tab. */
export type HubEnd = (message: TabMessage) => void;

type Tab = {
  post: (message: HubMessage) => void;
  stream: { number: number; after: number | undefined; begun: boolean } | undefined;
  /** Characters sent to the tab and not acknowledged yet. */
  unread: number;
  /** Whether the tab reads too slowly. It gets nothing more until it has caught up, and then a reset. */
  behind: boolean;
  /** The number of checks since its last message. */
  silentFor: number;
};

const OPEN_MS = 10_000;
/** A page in the background sends a ping once a minute. A frozen page learns when it thaws that the hub has dropped it. */
const LOOK_EVERY_MS = 60_000;
const MAX_SILENT_LOOKS = 5;
const MAX_UNREAD = 2 * 1024 * 1024;

/**
 * Shares one stream among all tabs of a browser; it opens with the first tab and closes after the last. Each tab gets the
 * messages after its own position, or a reset if the hub no longer has them. Tabs reconnect; the hub does not.
 */
export function createStreamHub(ports: HubPorts): { join(post: Tab['post']): HubEnd } {
  const tabs = new Set<Tab>();
  const log = new StreamLog();
  const silence = new Silence(ports, () => end('lost'));
  let upstream: 'closed' | 'opening' | 'open' = 'closed';
  let closeUpstream: () => void = () => undefined;
  let pending: RawMessage[] = [];
  let cancelLook: (() => void) | undefined;

  function connect(wanted: number | undefined): void {
    if (wanted !== undefined && log.since(wanted) === undefined) log.restart(wanted);
    upstream = 'opening';
    silence.heard(OPEN_MS);
    closeUpstream = ports.openStream(log.newest(), { opened, heard, failed: end });
  }

  function opened(): void {
    upstream = 'open';
    silence.heard(SILENCE_MS);
    for (const tab of tabs) begin(tab);
    for (const tab of tabs) tab.post({ kind: 'up' });
  }

  function begin(tab: Tab): void {
    const { stream } = tab;
    if (stream === undefined || stream.begun) return;
    // Pending messages are already in the log: flush them, so that this tab does not get them twice.
    flush();
    stream.begun = true;
    tab.post({ kind: 'opened', stream: stream.number });
    if (stream.after === undefined) return;
    tell(tab, log.since(stream.after) ?? [{ kind: 'reset' }]);
  }

  function heard(message: RawMessage): void {
    silence.heard(SILENCE_MS);
    if (message.kind === 'reset') log.restart(undefined);
    else if (message.kind !== 'alive') log.add(message);
    if (pending.length === 0) ports.soon(flush);
    pending.push(message);
  }

  function flush(): void {
    const messages = pending;
    pending = [];
    if (messages.length === 0) return;
    for (const tab of tabs) if (tab.stream?.begun === true) tell(tab, messages);
  }

  function tell(tab: Tab, messages: readonly RawMessage[]): void {
    if (tab.stream === undefined || tab.behind) return;
    const size = messages.reduce((sum, message) => sum + ('text' in message ? message.text.length : 1), 0);
    if (tab.unread > 0 && tab.unread + size > MAX_UNREAD) {
      tab.behind = true;
      return;
    }
    tab.unread += size;
    tab.post({ kind: 'heard', stream: tab.stream.number, messages, size });
  }

  /** Ends the stream of every tab. */
  function end(reason: StreamEnd): void {
    flush();
    close();
    if (reason === 'signedOut') log.restart(undefined);
    for (const tab of tabs) {
      const { stream } = tab;
      tab.stream = undefined;
      if (stream !== undefined) tab.post({ kind: 'failed', stream: stream.number, reason });
    }
  }

  function close(): void {
    upstream = 'closed';
    pending = [];
    closeUpstream();
    closeUpstream = () => undefined;
    silence.end();
  }

  function leave(tab: Tab): void {
    tab.stream = undefined;
    if (![...tabs].some(({ stream }) => stream !== undefined)) close();
  }

  function look(): void {
    cancelLook = undefined;
    for (const tab of tabs) {
      tab.silentFor += 1;
      if (tab.silentFor > MAX_SILENT_LOOKS) drop(tab);
    }
    lookLater();
  }

  function lookLater(): void {
    if (tabs.size > 0) cancelLook ??= ports.setTimer(LOOK_EVERY_MS, look);
  }

  function drop(tab: Tab): void {
    tabs.delete(tab);
    leave(tab);
    if (tabs.size > 0) return;
    cancelLook?.();
    cancelLook = undefined;
  }

  function hear(tab: Tab, message: TabMessage): void {
    if (message.kind === 'leave') return drop(tab);
    tabs.add(tab);
    tab.silentFor = 0;
    lookLater();
    switch (message.kind) {
      case 'open':
        silence.look();
        tab.stream = { number: message.stream, after: message.after, begun: false };
        tab.unread = 0;
        tab.behind = false;
        if (upstream === 'closed') connect(message.after);
        else if (upstream === 'open') begin(tab);
        return;
      case 'close':
        return leave(tab);
      case 'took':
        return took(tab, message);
      case 'ping':
        tab.post({ kind: 'pong' });
        if (message.stream !== undefined && message.stream !== tab.stream?.number)
          tab.post({ kind: 'failed', stream: message.stream, reason: 'lost' });
        return;
      case 'signedOut':
        return end('signedOut');
    }
  }

  function took(tab: Tab, { stream, size }: { stream: number; size: number }): void {
    if (stream !== tab.stream?.number) return;
    tab.unread -= size;
    if (!tab.behind || tab.unread > 0) return;
    tab.behind = false;
    tell(tab, [{ kind: 'reset' }]);
  }

  return {
    join(post) {
      const tab: Tab = { post, stream: undefined, unread: 0, behind: false, silentFor: 0 };
      tabs.add(tab);
      lookLater();
      return (message) => hear(tab, message);
    },
  };
}

const MAX_ENTRIES = 2_000;
const MAX_CHARACTERS = 4 * 1024 * 1024;

type Entry = Extract<RawMessage, { kind: 'facts' | 'ephemera' }>;

/** The newest part of the stream without gaps. A tab can continue from its beginning, or from any commit in it. */
class StreamLog {
  #entries: Entry[] = [];
  #characters = 0;
  /** The revision before the first entry; undefined if unknown. */
  #from: number | undefined;
  #newest: number | undefined;

  /** The revision to resume from; undefined if unknown. */
  newest(): number | undefined {
    return this.#newest;
  }

  /** Removes all entries. The next entry follows `from`. */
  restart(from: number | undefined): void {
    this.#entries = [];
    this.#characters = 0;
    this.#from = from;
    this.#newest = from;
  }

  add(entry: Entry): void {
    this.#entries.push(entry);
    this.#characters += entry.text.length;
    if (entry.kind === 'facts') this.#newest = entry.revision;
    if (this.#entries.length > MAX_ENTRIES || this.#characters > MAX_CHARACTERS) this.#trim();
  }

  /** The entries after `revision`; undefined if some of them are missing. */
  since(revision: number): readonly RawMessage[] | undefined {
    if (revision === this.#from) return this.#entries;
    const seen = this.#entries.findLastIndex((entry) => entry.kind === 'facts' && entry.revision === revision);
    return seen < 0 ? undefined : this.#entries.slice(seen + 1);
  }

  /** Trims the log to half of its limits, so that trimming is rare. */
  #trim(): void {
    let gone = 0;
    while (
      gone < this.#entries.length &&
      (this.#entries.length - gone > MAX_ENTRIES / 2 || this.#characters > MAX_CHARACTERS / 2)
    ) {
      const entry = this.#entries[gone];
      gone += 1;
      if (entry === undefined) break;
      this.#characters -= entry.text.length;
      // A tab at that revision has not seen the conditions after it.
      this.#from = entry.kind === 'facts' ? entry.revision : undefined;
    }
    this.#entries = this.#entries.slice(gone);
  }
}
