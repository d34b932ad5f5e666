import type { Station } from '#shared/api/station.ts';
import { Live } from '../../../renderer/src/station/live/live.ts';
import { createStationStore } from '../../../renderer/src/station/live/store.ts';
import type { StreamListener } from '../../../renderer/src/station/live/stream.ts';
import { device, station } from '../support.tsx';
import { createTimers } from './timers.ts';

export const A = '51D000:000001';

/** A stream whose messages the test sends. */
export type Stream = StreamListener & { after: number | undefined; closed: boolean };
type Load = { answer(station: Station): Promise<void>; fail(error: unknown): Promise<void> };

export const snapshotAt = (revision: number, text: string) => ({
  ...station(device(A, { statica: text })),
  revision,
});

/** Sends one fact from the station, which sets the device's `statica` at this revision. */
export function tell(to: Stream, revision: number, text: string): void {
  to.onMessage({
    kind: 'facts',
    revision,
    facts: [{ type: 'device.changed', deviceid: A, changed: { statica: text } }],
  });
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

function the<T>(index: number, of: T[], what: string): T {
  const found = of[index];
  if (found === undefined) throw new Error(`there is no ${what} ${index}`);
  return found;
}

/** Starts a page for which the test controls the station and the machine's clock. */
export function startLive() {
  const store = createStationStore();
  const timers = createTimers();
  const waiting = new Set<object>();
  const streams: Stream[] = [];
  const loads: Load[] = [];
  const versions: ((version: string) => Promise<void>)[] = [];
  let sleptMs = 0;
  let setMs = 0;
  const steady = () => timers.ports.now() + sleptMs;
  const now = () => steady() + setMs;
  const rig = {
    store,
    streams,
    /** Requests for a snapshot, in order. */
    loads,
    visible: true,
    signedOut: 0,
    /** Number of milliseconds by which this machine's clock is ahead in the next snapshot. */
    skewMs: 0,
    now,
    advance: timers.advance,
    /** Lets time pass without running timers, as if the machine slept or was busy. */
    sleep(ms: number) {
      sleptMs += ms;
    },
    /** Changes this machine's clock, as a user would. */
    setClock(ms: number) {
      setMs += ms;
      rig.skewMs += ms;
    },
    timerCount: () => waiting.size,
    stream: (index: number) => the(index, streams, 'stream'),
    load: (index: number) => the(index, loads, 'snapshot'),
    /** Answers the page's request for the station's version. */
    answerVersion: (index: number, version: string) => the(index, versions, 'question for the version')(version),
    statica: () => store.getState().station?.devices[0]?.statica,
    connection: () => store.getState().connection.kind,
    /** Opens the first stream, loads a snapshot with revision 5, and returns the stream. */
    async begin(): Promise<Stream> {
      rig.stream(0).opened();
      await rig.load(0).answer(snapshotAt(5, 'five'));
      return rig.stream(0);
    },
  };
  const live = new Live(
    {
      openStream(after, listener) {
        const stream: Stream = { ...listener, after, closed: false };
        streams.push(stream);
        return () => {
          stream.closed = true;
        };
      },
      loadStation: () =>
        new Promise((resolve, reject) => {
          loads.push({
            answer: (snapshot) => (resolve({ station: snapshot, clockSkewMs: rig.skewMs }), settled()),
            fail: (error) => (reject(error), settled()),
          });
        }),
      loadVersion: () => new Promise((resolve) => versions.push((version) => (resolve(version), settled()))),
      version: '1.0.0',
      isVisible: () => rig.visible,
      now,
      steady,
      setTimer(delayMs, run) {
        const timer = {};
        waiting.add(timer);
        const cancel = timers.ports.setTimer(delayMs, () => {
          waiting.delete(timer);
          run();
        });
        return () => {
          waiting.delete(timer);
          cancel();
        };
      },
      fraction: () => 0.5,
      onSignedOut: () => {
        rig.signedOut += 1;
      },
    },
    store,
  );
  live.start();
  return Object.assign(rig, { live });
}
