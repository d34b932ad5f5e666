import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Fact, Station } from '#shared/api/station.ts';
import { MAX_AT_ONCE } from '../../../renderer/src/sound/stationSounds.ts';
import { startWindowSounds } from '../../../renderer/src/sound/windowSounds.ts';
import {
  applyMessages,
  createStationStore,
  takeSnapshot,
  type StationStore,
} from '../../../renderer/src/station/live/store.ts';
import { command, device, station } from '../../helpers/snapshots.ts';
import { listenTo } from '../../helpers/servers/listen.ts';
import { FakeAudioContext, fakeBrowser, fakeChoice, fakeSpeaker } from './soundSupport.ts';

const A = '51D000:000001';
const ends: (() => void)[] = [];

beforeEach(() => {
  ends.length = 0;
});

afterEach(() => {
  for (const end of ends) end();
});

/** Opens a window that is already connected to a station. */
function open(given: Partial<Parameters<typeof startWindowSounds>[0]> & { first?: Station; allowed?: boolean } = {}) {
  const { first = station(device(A)), allowed = true, ...parts } = given;
  const { speaker, begun } = fakeSpeaker(allowed);
  const store = createStationStore();
  const choice = fakeChoice();
  ends.push(startWindowSounds({ window, store, speaker, choice, channel: undefined, ...parts }));
  let revision = first.revision;
  takeSnapshot(store, { station: first, clockSkewMs: 0 });
  store.setState({ connection: { kind: 'live' } });
  return {
    store,
    begun,
    choice: parts.choice ?? choice,
    tell(...facts: Fact[]) {
      revision += 1;
      applyMessages(store, [{ kind: 'facts', revision, facts }]);
    },
  };
}

const queued = (id: string, sound: string, deviceid = A): Fact => ({
  type: 'command.queued',
  deviceid,
  command: command(id, { sound }),
});
const shown = (id: string, { at = Date.now(), deviceid = A } = {}): Fact => ({
  type: 'command.shown',
  deviceid,
  command_id: id,
  sent_at: null,
  at: new Date(at).toISOString(),
  expires_at: null,
});
const over = (id: string): Fact => ({
  type: 'command.acknowledged',
  deviceid: A,
  command_id: id,
  at: new Date().toISOString(),
  qty: 0,
  by: '',
});

test('plays the sound of a command once, when the device starts to show the command', () => {
  const { tell, begun } = open();
  tell(queued('1', '100,c5,2,e5,1'));
  tell({ type: 'command.sent', deviceid: A, command_id: '1', at: new Date().toISOString() });
  expect(begun()).toHaveLength(0);
  tell(shown('1'));
  expect(begun()).toHaveLength(1);
  const [first] = begun();
  const heard = listenTo(
    Int16Array.from(first?.samples ?? [], (sample) => sample * 32_767),
    first?.sampleRate ?? 0,
  );
  expect(heard.map(({ frequencyHz }) => Math.round(frequencyHz))).toEqual([523, 659]);
  expect(first?.samples.length).toBe(0.3 * (first?.sampleRate ?? 0));
  expect(first?.loudness).toBeCloseTo(0.33);
  tell({ type: 'command.adjusted', deviceid: A, command_id: '1', quantity: 3 });
  tell({ type: 'command.sent', deviceid: A, command_id: '1', at: new Date().toISOString() });
  tell(shown('1'));
  expect(begun()).toHaveLength(1);
});

test('the sound ends with its command', () => {
  const { tell, begun } = open();
  tell(queued('1', 'taps'), queued('2', '15,c5,400'));
  tell(shown('1'));
  expect(begun()[0]?.stopped).toBe(false);
  tell(over('1'));
  expect(begun()[0]?.stopped).toBe(true);
  tell(shown('2'));
  expect(begun()).toHaveLength(2);
  tell({ type: 'device.removed', deviceid: A });
  expect(begun()[1]?.stopped).toBe(true);
});

test('a command that replaces a lit command plays its sound again', () => {
  const { tell, begun } = open();
  tell(queued('1', 'beep'), shown('1'));
  tell({ type: 'command.replaced', deviceid: A, command_id: '1', command: command('2', { sound: 'beep' }) });
  expect(begun()[0]?.stopped).toBe(true);
  tell(shown('2'));
  expect(begun()).toHaveLength(2);
});

test('does not play sounds of commands that were lit before the page opened, even on a device that is added later', () => {
  const at = new Date().toISOString();
  const lit = command('1', { sound: 'taps', state: 'shown', shown_at: at });
  const { tell, begun } = open({ first: station(device(A, { commands: [lit] })) });
  tell({ type: 'command.adjusted', deviceid: A, command_id: '1', quantity: 3 });
  tell({ type: 'device.added', device: device('51D000:000002', { commands: [{ ...lit, command_id: '2' }] }) });
  expect(begun()).toHaveLength(0);
});

test('does not play a sound for a command that lit up while the connection was lost, or long ago', () => {
  const { store, tell, begun } = open();
  store.setState({ connection: { kind: 'lost', sinceAt: 0 } });
  const lit = command('1', { sound: 'taps', state: 'shown', shown_at: new Date().toISOString() });
  takeSnapshot(store, { station: { ...station(device(A, { commands: [lit] })), revision: 6 }, clockSkewMs: 0 });
  store.setState({ connection: { kind: 'live' } });
  expect(begun()).toHaveLength(0);
  tell(over('1'));
  tell(over('1'), queued('2', 'taps'), shown('2', { at: Date.now() - 60_000 }));
  expect(begun()).toHaveLength(0);
});

test('a snapshot does not repeat a sound, and plays none for commands that have been lit for a while', () => {
  const { store, tell, begun } = open();
  tell(queued('1', 'taps'), shown('1'));
  expect(begun()).toHaveLength(1);
  const long = new Date(Date.now() - 30_000).toISOString();
  const lit = (id: string, shown_at: string) => command(id, { sound: 'taps', state: 'shown', shown_at });
  const next = station(
    device(A, { commands: [lit('1', new Date().toISOString())] }),
    device('51D000:000002', { commands: [lit('2', long)] }),
  );
  takeSnapshot(store, { station: { ...next, revision: 90 }, clockSkewMs: 0 });
  expect(begun()).toHaveLength(1);
  expect(begun()[0]?.stopped).toBe(false);
});

test("plays sounds even if this machine's clock is wrong", () => {
  const { store, tell, begun } = open();
  store.setState({ clockSkewMs: -3_600_000 });
  tell(queued('1', 'beep'), shown('1', { at: Date.now() + 3_600_000 }));
  expect(begun()).toHaveLength(1);
});

test('plays nothing for a command without a sound or with an unknown one', () => {
  const { tell, begun } = open();
  tell(queued('1', ''), shown('1'));
  tell(over('1'), queued('2', 'not of this version'), shown('2'));
  expect(begun()).toHaveLength(0);
});

test('plays the newest of many sounds, and stops an older one', () => {
  const ids = Array.from({ length: 6 }, (_, index) => `51D000:00000${index + 1}`);
  const { tell, begun } = open({ first: station(...ids.map((id) => device(id))) });
  const [early = '', ...rest] = ids;
  tell(queued('first', 'taps', early), shown('first', { deviceid: early }));
  expect(begun()).toHaveLength(1);
  const at = Date.now();
  tell(
    ...rest.flatMap((deviceid, index) => [
      queued(String(index), `${100 + index},c5,1`, deviceid),
      shown(String(index), { deviceid, at: at - index * 100 }),
    ]),
  );
  expect(begun()).toHaveLength(1 + MAX_AT_ONCE);
  expect(begun()[0]?.stopped).toBe(true);
  // The commands were lit 200, 100 and 0 ms ago; the newest sound starts last.
  const lengths = begun()
    .slice(1)
    .map(({ samples, sampleRate }) => (samples.length * 1_000) / sampleRate);
  expect(lengths).toEqual([102, 101, 100]);
});

test('a sound that has ended does not count toward the limit', () => {
  const ids = Array.from({ length: 5 }, (_, index) => `51D000:00000${index + 1}`);
  const { tell, begun } = open({ first: station(...ids.map((id) => device(id))) });
  for (const [index, deviceid] of ids.entries()) {
    tell(queued(String(index), 'taps', deviceid), shown(String(index), { deviceid }));
    if (index < 3) begun()[index]?.finish();
  }
  expect(begun()).toHaveLength(5);
  expect(begun().some(({ stopped }) => stopped)).toBe(false);
});

test('while off, plays nothing and opens no audio device; switching off stops the current sound', () => {
  const choice = fakeChoice({ on: false, volume: 50 });
  const { tell, begun } = open({ choice });
  tell(queued('1', 'taps'), shown('1'));
  expect(FakeAudioContext.made).toHaveLength(0);
  choice.set({ on: true });
  expect(begun()).toHaveLength(0);
  tell(over('1'), queued('2', 'taps'), shown('2'));
  expect(begun()).toHaveLength(1);
  choice.set({ on: false });
  expect(begun()[0]?.stopped).toBe(true);
});

test('if the browser requires a click first, plays later sounds after the click, but no missed ones', async () => {
  const { tell, begun } = open({ allowed: false });
  tell(queued('1', 'taps'), shown('1'));
  expect(begun()).toHaveLength(0);
  FakeAudioContext.allowed = true;
  document.body.click();
  await Promise.resolve();
  expect(begun()).toHaveLength(0);
  tell(over('1'), queued('2', 'taps'), shown('2'));
  expect(begun()).toHaveLength(1);
});

test('signing out stops the sound', () => {
  const { store, tell, begun } = open();
  tell(queued('1', 'taps'), shown('1'));
  store.setState({ station: null });
  expect(begun()[0]?.stopped).toBe(true);
});

test('only one of two tabs plays, and the other continues when it closes', () => {
  const browser = fakeBrowser();
  const timers: (() => void)[] = [];
  const tabs = ['one', 'two'].map(() => {
    const { speaker } = fakeSpeaker();
    const store: StationStore = createStationStore();
    const played: string[] = [];
    const channel = browser.channel();
    const here = Object.assign(new EventTarget(), {
      setTimeout: (run: () => void) => timers.push(run),
      clearTimeout: () => undefined,
    });
    const stop = startWindowSounds({
      window: here,
      store,
      speaker: { ...speaker, play: (encoding) => void played.push(encoding) },
      choice: fakeChoice(),
      channel,
    });
    ends.push(stop);
    browser.settle();
    takeSnapshot(store, { station: station(device(A)), clockSkewMs: 0 });
    store.setState({ connection: { kind: 'live' } });
    return { store, played, here, channel };
  });
  let revision = 5;
  const tell = (...facts: Fact[]) => {
    revision += 1;
    for (const { store } of tabs) applyMessages(store, [{ kind: 'facts', revision, facts }]);
  };
  /** Returns how many sounds each tab has played since the last call. */
  const counts = () => tabs.map(({ played }) => played.splice(0).length);

  tell(queued('1', 'beep'), shown('1'));
  // Both tabs were opened at the same moment, so either may play.
  expect(counts().reduce((sum, count) => sum + count, 0)).toBe(1);

  tabs[0]?.here.dispatchEvent(new Event('focus'));
  browser.settle();
  tell(over('1'), queued('2', 'beep'), shown('2'));
  expect(counts()).toEqual([1, 0]);

  tabs[0]?.here.dispatchEvent(new Event('pagehide'));
  tabs[0]?.channel.close();
  browser.settle();
  for (const run of timers.splice(0)) run();
  browser.settle();
  tell(over('2'), queued('3', 'beep'), shown('3'));
  expect(counts()).toEqual([0, 1]);
});
