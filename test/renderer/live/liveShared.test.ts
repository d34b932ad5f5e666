import { beforeEach, describe, expect, test } from 'vitest';
import type { HubMessage, TabMessage } from '../../../renderer/src/station/live/hubMessages.ts';
import { createSharedStream, type SharedStream } from '../../../renderer/src/station/live/sharedStream.ts';
import type { Listener, RawMessage, StreamMessage } from '../../../renderer/src/station/live/stream.ts';
import { type HubEnd, StreamHub } from '../../../renderer/src/station/live/streamHub.ts';
import { createTimers, type Timers } from './timers.ts';

/** The hub's stream from the station. The test sends its messages. */
type Upstream = Listener<RawMessage> & { after: number | undefined; closed: boolean };

let timers: Timers;
let upstreams: Upstream[];
let hub: StreamHub;
let soon: (() => void)[];

beforeEach(() => {
  timers = createTimers();
  [upstreams, soon] = [[], []];
  hub = new StreamHub({
    ...timers.ports,
    openStream(after, listener) {
      const upstream: Upstream = { ...listener, after, closed: false };
      upstreams.push(upstream);
      return () => {
        upstream.closed = true;
      };
    },
    soon: (run) => soon.push(run),
  });
});

function upstream(index: number): Upstream {
  const found = upstreams[index];
  if (found === undefined) throw new Error(`the hub did not open stream ${index}`);
  return found;
}

/** Sends these messages from the station in one batch. Numbers are revisions of facts. */
function say(to: Upstream, ...messages: (number | string)[]): void {
  for (const message of messages) {
    if (typeof message === 'number') to.onMessage({ kind: 'facts', revision: message, text: '[]' });
    else to.onMessage({ kind: 'ephemera', text: JSON.stringify({ devices: [], turbos: [], note: message }) });
  }
  flush();
}

function flush(): void {
  for (const run of soon.splice(0)) run();
}

/** A tab that records its listener's calls as short words. */
class Tab {
  heard: string[] = [];
  /** Messages from the hub that a frozen tab has not received yet. Undefined if the tab is not frozen. */
  unread: HubMessage[] | undefined;
  dead = false;
  owns: { after: number | undefined; closed: boolean }[] = [];
  ups = 0;
  readonly shared: SharedStream;
  #handleHub: (message: HubMessage) => void = () => undefined;
  #broken: () => void = () => undefined;

  constructor(own: Timers = timers) {
    let tell: HubEnd | undefined;
    this.shared = createSharedStream({
      link: ({ onMessage, broken }) => {
        this.#handleHub = onMessage;
        this.#broken = broken;
        tell = hub.join((message) => this.#receive(structuredClone(message)));
        const post = (message: TabMessage) => (this.dead ? undefined : tell?.(structuredClone(message)));
        return { post, close: () => undefined };
      },
      openOwn: (after, listener) => {
        const own = { after, closed: false };
        this.owns.push(own);
        listener.opened();
        return () => {
          own.closed = true;
        };
      },
      setTimer: own.ports.setTimer,
      onUp: () => {
        this.ups += 1;
      },
    });
  }

  open(after?: number): () => void {
    return this.shared.open(after, {
      opened: () => this.heard.push('opened'),
      onMessage: (message) => this.heard.push(wordOf(message)),
      failed: (reason) => this.heard.push(reason),
    });
  }

  freeze(): void {
    this.unread = [];
  }

  thaw(): void {
    const messages = this.unread ?? [];
    this.unread = undefined;
    for (const message of messages) this.#handleHub(message);
  }

  breakLink(): void {
    this.#broken();
  }

  #receive(message: HubMessage): void {
    if (this.dead) return;
    if (this.unread === undefined) this.#handleHub(message);
    else this.unread.push(message);
  }
}

function wordOf(message: StreamMessage): string {
  if (message.kind === 'facts') return String(message.revision);
  if (message.kind === 'ephemera') return 'note' in message.ephemera ? String(message.ephemera.note) : 'conditions';
  return message.kind;
}

/** Opens two tabs on the same stream. */
function begin(): { one: Tab; two: Tab; station: Upstream } {
  const [one, two] = [new Tab(), new Tab()];
  one.open();
  two.open();
  expect([one.heard, two.heard]).toEqual([[], []]);
  upstream(0).opened();
  return { one, two, station: upstream(0) };
}

describe('one stream for all tabs', () => {
  test('two tabs share one stream to the station, and both get every message', () => {
    const { one, two, station } = begin();
    say(station, 6, 'conditions', 7);
    station.onMessage({ kind: 'alive' });
    flush();
    expect(upstreams).toHaveLength(1);
    expect(one.heard).toEqual(['opened', '6', 'conditions', '7', 'alive']);
    expect(two.heard).toEqual(one.heard);
  });

  test('a tab that joins later opens immediately and gets only later messages, each once', () => {
    const { one, station } = begin();
    station.onMessage({ kind: 'facts', revision: 6, text: '[]' });
    const late = new Tab();
    late.open();
    flush();
    say(station, 7);
    expect(late.heard).toEqual(['opened', '7']);
    expect(one.heard).toEqual(['opened', '6', '7']);
    expect(upstreams).toHaveLength(1);
  });

  test('a reconnecting tab gets missed messages from the hub, including conditions and pending messages', () => {
    const { station, two } = begin();
    const back = new Tab();
    const close = back.open();
    say(station, 6);
    close();
    say(station, 'weak battery', 7);
    station.onMessage({ kind: 'facts', revision: 8, text: '[]' });
    back.heard = [];
    back.open(6);
    flush();
    say(station, 9);
    expect(back.heard).toEqual(['opened', 'weak battery', '7', '8', '9']);
    expect(two.heard).toEqual(['opened', '6', 'weak battery', '7', '8', '9']);
  });

  test('a tab with a position unknown to the hub is reset', () => {
    const { station } = begin();
    say(station, 100, 101);
    for (const position of [5, 99, 500]) {
      const stranger = new Tab();
      stranger.open(position);
      expect(stranger.heard).toEqual(['opened', 'reset']);
    }
  });

  test('a new hub resumes the stream from the position of its first tab', () => {
    const tab = new Tab();
    tab.open(41);
    expect(upstream(0).after).toBe(41);
    upstream(0).opened();
    say(upstream(0), 'conditions', 42);
    const other = new Tab();
    other.open(41);
    expect(tab.heard).toEqual(['opened', 'conditions', '42']);
    expect(other.heard).toEqual(tab.heard);
  });

  test('after the station sends a reset, the hub forgets earlier messages', () => {
    const { one, station } = begin();
    say(station, 6, 7);
    station.failed('lost');
    one.open(7);
    upstream(1).opened();
    upstream(1).onMessage({ kind: 'reset' });
    say(upstream(1), 6);
    expect(one.heard).toEqual(['opened', '6', '7', 'lost', 'opened', 'reset', '6']);
    const old = new Tab();
    old.open(7);
    expect(old.heard).toEqual(['opened', 'reset']);
  });
});

describe('closing', () => {
  test('the last tab to leave closes the stream, and the hub later resumes from the last position', () => {
    const closing = new Tab();
    const close = closing.open();
    const leaving = new Tab();
    leaving.open();
    upstream(0).opened();
    say(upstream(0), 6);
    close();
    expect(upstream(0).closed).toBe(false);
    leaving.shared.leave();
    expect(upstream(0).closed).toBe(true);
    closing.open(6);
    expect(upstream(1).after).toBe(6);
  });

  test('a tab that left gets no more messages', () => {
    const posted: HubMessage[] = [];
    hub.join((message) => posted.push(message))({ kind: 'leave' });
    begin();
    expect(posted).toEqual([]);
  });

  test('a lost stream is reported to all tabs, and the first tab to reconnect notifies the others', () => {
    const { one, two, station } = begin();
    station.failed('lost');
    expect([one.heard.at(-1), two.heard.at(-1)]).toEqual(['lost', 'lost']);
    one.open(6);
    expect(two.ups).toBe(0);
    upstream(1).opened();
    expect(one.ups).toBe(0);
    expect(two.ups).toBe(1);
  });

  test('a reconnecting tab still gets messages that the hub received before it lost the stream', () => {
    const { one, two, station } = begin();
    say(station, 6, 7);
    station.failed('lost');
    one.open(7);
    two.heard = [];
    two.open(6);
    upstream(1).opened();
    expect(two.heard).toEqual(['opened', '7']);
  });

  test('a tab that closes while reconnecting leaves no stream open', () => {
    const { one, station } = begin();
    station.failed('lost');
    const close = one.open(6);
    close();
    expect(upstream(1).closed).toBe(true);
  });

  test('ends the stream of every tab if the station is silent, and closes a stream that does not open in time', () => {
    const { one } = begin();
    timers.advance(40_000);
    expect(one.heard.at(-1)).toBe('lost');
    expect(upstream(0).closed).toBe(true);
    one.open(6);
    timers.advance(10_000);
    expect(upstream(1).closed).toBe(true);
    expect(one.heard.at(-1)).toBe('lost');
  });

  test('every message from the station restarts the timeout', () => {
    const { one, station } = begin();
    for (const revision of [6, 7]) {
      timers.advance(39_000);
      say(station, revision);
    }
    timers.advance(39_000);
    expect(one.heard).toEqual(['opened', '6', '7']);
    timers.advance(6_000);
    expect(one.heard).toEqual(['opened', '6', '7', 'lost']);
  });

  test('delivers pending messages before it reports the loss of the stream', () => {
    const { one, station } = begin();
    station.onMessage({ kind: 'facts', revision: 6, text: '[]' });
    station.failed('lost');
    expect(one.heard).toEqual(['opened', '6', 'lost']);
  });

  test('a tab that is behind gets the missing messages from the hub, which asks the station only for newer ones', () => {
    const first = new Tab();
    const close = first.open(4);
    upstream(0).opened();
    say(upstream(0), 5, 6);
    close();
    const back = new Tab();
    back.open(5);
    expect(upstream(1).after).toBe(6);
    upstream(1).opened();
    expect(back.heard).toEqual(['opened', '6']);
  });

  test('signing out in one tab signs out all tabs, and the next session starts without a position', () => {
    const { one, two, station } = begin();
    say(station, 6);
    one.shared.signOut();
    expect([one.heard.at(-1), two.heard.at(-1)]).toEqual(['signedOut', 'signedOut']);
    expect(station.closed).toBe(true);
    one.open();
    expect(upstream(1).after).toBeUndefined();
    upstream(1).failed('signedOut');
    expect(one.heard.at(-1)).toBe('signedOut');
  });
});

describe('a hub that does not answer', () => {
  test('if the hub never answers, the tab opens its own stream and reports no loss', () => {
    const tab = new Tab();
    tab.dead = true;
    const close = tab.open(5);
    timers.advance(10_000);
    expect(tab.owns).toEqual([{ after: 5, closed: false }]);
    expect(tab.heard).toEqual(['opened']);
    close();
    expect(tab.owns[0]?.closed).toBe(true);
  });

  test('if the script of the hub cannot be loaded, the tab opens its own stream without waiting', () => {
    const tab = new Tab();
    tab.dead = true;
    tab.open(5);
    tab.breakLink();
    expect(tab.owns).toHaveLength(1);
  });

  test('if the hub stops answering, the tab notices within ten seconds, and then opens its own stream', () => {
    const { one, two } = begin();
    timers.advance(20_000);
    expect(one.heard).toEqual(['opened']);
    one.dead = true;
    timers.advance(10_000);
    expect(one.heard).toEqual(['opened', 'lost']);
    one.open(6);
    expect(one.owns).toEqual([{ after: 6, closed: false }]);
    expect(two.heard).toEqual(['opened']);
    expect(two.owns).toEqual([]);
  });
});

describe('limits', () => {
  const long = 'x'.repeat(1_000_000);

  test('a tab that does not read gets at most two million characters, and is reset when it reads again', () => {
    const { one, two, station } = begin();
    one.freeze();
    for (let piece = 0; piece < 10; piece += 1) say(station, `${piece}${long}`);
    expect(one.unread).toHaveLength(2);
    expect(two.heard).toHaveLength(11);
    one.thaw();
    say(station, 6);
    expect(one.heard.map((word) => word.slice(0, 6))).toEqual(['opened', '0xxxxx', '1xxxxx', 'reset', '6']);
  });

  test('a tab that keeps up also gets messages above the limit', () => {
    const { one, station } = begin();
    say(station, `0${long}${long}${long}`, 6);
    expect(one.heard.map((word) => word.slice(0, 6))).toEqual(['opened', '0xxxxx', '6']);
  });

  test('reopening a tab clears its backlog', () => {
    const { station } = begin();
    const tab = new Tab();
    const close = tab.open();
    tab.freeze();
    for (let piece = 0; piece < 3; piece += 1) say(station, `${piece}${long}`);
    close();
    tab.open();
    tab.thaw();
    tab.heard = [];
    say(station, `3${long}`, 6);
    expect(tab.heard.map((word) => word.slice(0, 6))).toEqual(['3xxxxx', '6']);
  });

  test('a tab whose next message exceeds the limit gets no more messages until it has read its backlog, and is then reset', () => {
    const { one, station } = begin();
    one.freeze();
    say(station, `0${long}`);
    say(station, `1${long}${long}`);
    say(station, 6);
    expect(one.unread).toHaveLength(1);
    one.thaw();
    say(station, 7);
    expect(one.heard.map((word) => word.slice(0, 6))).toEqual(['opened', '0xxxxx', 'reset', '7']);
  });

  test('the hub keeps a limited number of megabytes for reconnecting tabs', () => {
    const { station } = begin();
    say(station, 6);
    for (let piece = 0; piece < 10; piece += 1) say(station, long);
    say(station, 7, 'newest');
    const back = new Tab();
    back.open(6);
    expect(back.heard).toEqual(['opened', 'reset']);
    const newer = new Tab();
    newer.open(7);
    expect(newer.heard).toEqual(['opened', 'newest']);
  });

  /** Sends the station's heartbeats for this many minutes. */
  function beatFor(minutes: number, of = 0): void {
    for (let beat = 0; beat < minutes * 4; beat += 1) {
      upstream(of).onMessage({ kind: 'alive' });
      flush();
      timers.advance(15_000);
    }
  }

  test('a tab that keeps sending heartbeats is never dropped', () => {
    const { one } = begin();
    beatFor(10);
    expect(upstream(0).closed).toBe(false);
    expect(new Set(one.heard)).toEqual(new Set(['opened', 'alive']));
  });

  test('drops a tab that sends no heartbeats, and a frozen tab notices the loss when it resumes and can reconnect', () => {
    hub.join(() => undefined)({ kind: 'leave' });
    // A frozen page runs no timers.
    const frozen = new Tab(createTimers());
    frozen.open();
    upstream(0).opened();
    frozen.freeze();
    beatFor(5);
    expect(upstream(0).closed).toBe(false);
    beatFor(1);
    expect(upstream(0).closed).toBe(true);
    frozen.thaw();
    frozen.shared.comeBack();
    expect(frozen.heard.at(-1)).toBe('lost');
    expect(frozen.owns).toEqual([]);
    frozen.open(6);
    upstream(1).opened();
    expect(frozen.heard.at(-1)).toBe('opened');
    frozen.freeze();
    beatFor(6, 1);
    expect(upstream(1).closed).toBe(true);
  });
});
