import type { HubMessage, TabMessage } from './hubMessages.ts';
import { Silence, type TimePorts, SILENCE_MS } from './silence.ts';
import type { OpenRawStream, RawMessage, StreamEnd } from './stream.ts';

export type HubPorts = TimePorts & {
  openStream: OpenRawStream;
  /** Calls `run` after the current task, so that messages that arrive together are sent together. */
  soon(run: () => void): void;
};

/** Receives the messages that a tab sends to the hub. */
export type HubEnd = (message: TabMessage) => void;

type Tab = {
  post: (message: HubMessage) => void;
  stream: { number: number; after: number | undefined; begun: boolean } | undefined;
  /** Number of characters that were sent to the tab and not acknowledged yet. */
  unread: number;
  /** Whether the tab reads too slowly. Such a tab gets no messages until it has caught up, and then a reset. */
  behind: boolean;
  /** Number of checks since the tab's last message. */
  silentFor: number;
};

const OPEN_MS = 10_000;
/**
 * Interval in milliseconds between checks for silent tabs. A page in the background sends a ping once a minute. A
 * frozen page notices when it resumes that the hub has dropped it.
 */
const LOOK_EVERY_MS = 60_000;
const MAX_SILENT_LOOKS = 5;
const MAX_UNREAD = 2 * 1024 * 1024;

/**
 * Shares one stream among all tabs of a browser. The stream opens with the first tab and closes after the last one.
 * Each tab gets the messages after its own position, or a reset if the hub no longer has them. Tabs reconnect; the
 * hub does not.
 */
export class StreamHub {
  readonly #ports: HubPorts;
  readonly #tabs = new Set<Tab>();
  readonly #log = new StreamLog();
  readonly #silence: Silence;
  #upstream: 'closed' | 'opening' | 'open' = 'closed';
  #closeUpstream: () => void = () => undefined;
  #pending: RawMessage[] = [];
  #cancelLook: (() => void) | undefined;

  constructor(ports: HubPorts) {
    this.#ports = ports;
    this.#silence = new Silence(ports, () => this.#end('lost'));
  }

  /** Adds a tab. `post` sends a message to the tab; the returned function receives the tab's messages. */
  join(post: Tab['post']): HubEnd {
    const tab: Tab = { post, stream: undefined, unread: 0, behind: false, silentFor: 0 };
    this.#tabs.add(tab);
    this.#lookLater();
    return (message) => this.#receiveFromTab(tab, message);
  }

  #connect(wanted: number | undefined): void {
    if (wanted !== undefined && this.#log.since(wanted) === undefined) this.#log.restart(wanted);
    this.#upstream = 'opening';
    this.#silence.restart(OPEN_MS);
    this.#closeUpstream = this.#ports.openStream(this.#log.newest(), {
      opened: () => this.#opened(),
      onMessage: (message) => this.#receive(message),
      failed: (reason) => this.#end(reason),
    });
  }

  #opened(): void {
    this.#upstream = 'open';
    this.#silence.restart(SILENCE_MS);
    for (const tab of this.#tabs) this.#begin(tab);
    for (const tab of this.#tabs) tab.post({ kind: 'up' });
  }

  #begin(tab: Tab): void {
    const { stream } = tab;
    if (stream === undefined || stream.begun) return;
    // Pending messages are already in the log: flush them, so that this tab does not get them twice.
    this.#flush();
    stream.begun = true;
    tab.post({ kind: 'opened', stream: stream.number });
    if (stream.after === undefined) return;
    this.#send(tab, this.#log.since(stream.after) ?? [{ kind: 'reset' }]);
  }

  #receive(message: RawMessage): void {
    this.#silence.restart(SILENCE_MS);
    if (message.kind === 'reset') this.#log.restart(undefined);
    else if (message.kind !== 'alive') this.#log.add(message);
    if (this.#pending.length === 0) this.#ports.soon(() => this.#flush());
    this.#pending.push(message);
  }

  #flush(): void {
    const messages = this.#pending;
    this.#pending = [];
    if (messages.length === 0) return;
    for (const tab of this.#tabs) if (tab.stream?.begun === true) this.#send(tab, messages);
  }

  /** Sends messages to a tab, unless it reads too slowly. */
  #send(tab: Tab, messages: readonly RawMessage[]): void {
    if (tab.stream === undefined || tab.behind) return;
    const size = messages.reduce((sum, message) => sum + ('text' in message ? message.text.length : 1), 0);
    if (tab.unread > 0 && tab.unread + size > MAX_UNREAD) {
      tab.behind = true;
      return;
    }
    tab.unread += size;
    tab.post({ kind: 'heard', stream: tab.stream.number, messages, size });
  }

  /** Ends the streams of all tabs. */
  #end(reason: StreamEnd): void {
    this.#flush();
    this.#close();
    if (reason === 'signedOut') this.#log.restart(undefined);
    for (const tab of this.#tabs) {
      const { stream } = tab;
      tab.stream = undefined;
      if (stream !== undefined) tab.post({ kind: 'failed', stream: stream.number, reason });
    }
  }

  #close(): void {
    this.#upstream = 'closed';
    this.#pending = [];
    this.#closeUpstream();
    this.#closeUpstream = () => undefined;
    this.#silence.end();
  }

  #leave(tab: Tab): void {
    tab.stream = undefined;
    if (![...this.#tabs].some(({ stream }) => stream !== undefined)) this.#close();
  }

  /** Drops the tabs that have sent nothing for a long time. */
  #look(): void {
    this.#cancelLook = undefined;
    for (const tab of this.#tabs) {
      tab.silentFor += 1;
      if (tab.silentFor > MAX_SILENT_LOOKS) this.#drop(tab);
    }
    this.#lookLater();
  }

  #lookLater(): void {
    if (this.#tabs.size > 0) this.#cancelLook ??= this.#ports.setTimer(LOOK_EVERY_MS, () => this.#look());
  }

  #drop(tab: Tab): void {
    this.#tabs.delete(tab);
    this.#leave(tab);
    if (this.#tabs.size > 0) return;
    this.#cancelLook?.();
    this.#cancelLook = undefined;
  }

  #receiveFromTab(tab: Tab, message: TabMessage): void {
    if (message.kind === 'leave') return this.#drop(tab);
    this.#tabs.add(tab);
    tab.silentFor = 0;
    this.#lookLater();
    switch (message.kind) {
      case 'open':
        this.#silence.look();
        tab.stream = { number: message.stream, after: message.after, begun: false };
        tab.unread = 0;
        tab.behind = false;
        if (this.#upstream === 'closed') this.#connect(message.after);
        else if (this.#upstream === 'open') this.#begin(tab);
        return;
      case 'close':
        return this.#leave(tab);
      case 'took':
        return this.#took(tab, message);
      case 'ping':
        tab.post({ kind: 'pong' });
        if (message.stream !== undefined && message.stream !== tab.stream?.number)
          tab.post({ kind: 'failed', stream: message.stream, reason: 'lost' });
        return;
      case 'signedOut':
        return this.#end('signedOut');
    }
  }

  #took(tab: Tab, { stream, size }: { stream: number; size: number }): void {
    if (stream !== tab.stream?.number) return;
    tab.unread -= size;
    if (!tab.behind || tab.unread > 0) return;
    tab.behind = false;
    this.#send(tab, [{ kind: 'reset' }]);
  }
}

const MAX_ENTRIES = 2_000;
const MAX_CHARACTERS = 4 * 1024 * 1024;

type Entry = Extract<RawMessage, { kind: 'facts' | 'ephemera' }>;

/**
 * The newest part of the stream, without gaps. A tab can continue from the beginning of the log, or from any revision
 * in the log.
 */
class StreamLog {
  #entries: Entry[] = [];
  #characters = 0;
  /** The revision before the first entry, or undefined if it is unknown. */
  #from: number | undefined;
  #newest: number | undefined;

  /** Returns the revision after which to continue, or undefined if it is unknown. */
  newest(): number | undefined {
    return this.#newest;
  }

  /** Removes all entries. The next entry follows revision `from`. */
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

  /** Returns the entries after `revision`, or undefined if some of them are missing. */
  since(revision: number): readonly RawMessage[] | undefined {
    if (revision === this.#from) return this.#entries;
    const seen = this.#entries.findLastIndex((entry) => entry.kind === 'facts' && entry.revision === revision);
    return seen < 0 ? undefined : this.#entries.slice(seen + 1);
  }

  /** Trims the log to half of its limits once it exceeds them, so that trimming is rare. */
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
      // After an `ephemera` entry was removed, a tab at the previous revision cannot continue from here, because it has
      // not seen that entry.
      this.#from = entry.kind === 'facts' ? entry.revision : undefined;
    }
    this.#entries = this.#entries.slice(gone);
  }
}
