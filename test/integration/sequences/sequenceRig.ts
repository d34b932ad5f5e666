import { afterEach, beforeEach, expect } from 'vitest';
import type { HistoryEntry } from '#shared/api/history.ts';
import type { Sequence, SequenceProgress, SequenceResult, Step } from '#shared/api/sequence.ts';
import { startReceiver, type Receiver } from '../../helpers/servers/receiver.ts';
import { startTestStation, type Answer, type TestStation } from '../../helpers/startTestStation.ts';

export const ONE = '51D000:000001';
export const TWO = '51D000:000002';
export const THREE = '51D000:000003';
export const FOUR = '51D000:000004';

export type GivenStep = Readonly<Record<string, unknown>>;

/** Starts a station with four simulated devices and a callback receiver for each test. `NAME` is the sequence under test. */
export function useSequences(NAME = 'round 7') {
  let station: TestStation;
  let receiver: Receiver;
  const path = (name = NAME) => `/api/sequence/${encodeURIComponent(name)}/`;

  beforeEach(async () => {
    receiver = await startReceiver();
    station = await startTestStation({ simulate: 4, refreshMs: 0 });
    await station.patch('/api/settings/', { callback_url: receiver.url });
    // The first refresh of a device takes as long as on e-paper, so wait for it.
    await station.clock.advance(5_000);
  });

  afterEach(async () => {
    await station.stop();
    await receiver.stop();
  });

  const create = (steps: readonly GivenStep[], given: object = {}) =>
    station.post<SequenceResult>('/api/sequence/', { sequenceid: NAME, ...given, steps });
  const launchWith = async (query: string, name = NAME): Promise<Answer> => {
    const answer = await station.request('GET', `/api/launchsequence/${encodeURIComponent(name)}/${query}`);
    await station.clock.advance(0);
    return answer;
  };
  const get = () => station.get<Sequence>(path());

  return {
    get station() {
      return station;
    },
    get receiver() {
      return receiver;
    },
    path,
    create,
    get,
    launchWith,
    async launch(query = ''): Promise<SequenceResult> {
      const answer = await launchWith(query);
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      return answer.body as SequenceResult;
    },
    progress: async () =>
      (await station.get<SequenceProgress[]>('/api/sequence-progress/')).find(({ sequenceid }) => sequenceid === NAME),
    /** Returns the state of the sequence and the states of its steps. */
    async stands(): Promise<string> {
      const { state, steps } = await get();
      return `${state}: ${steps.map((step) => step.state).join(' ')}`;
    },
    step: async (index: number): Promise<Step> => {
      const step = (await get()).steps[index];
      if (step === undefined) throw new Error(`There is no step ${index}.`);
      return step;
    },
    /** Returns the first lines of the commands that are lit or waiting at a device. */
    lit: async (deviceid: string) => (await station.device(deviceid)).commands.map(({ line1 }) => line1),
    /** Returns the callbacks so far as text. */
    told: () =>
      receiver
        .payloads()
        .map(({ acknack, deviceid, location, nonce, qty }) =>
          [acknack, deviceid, location, nonce, qty].map(String).join(' '),
        ),
    history: (query = '') => station.get<HistoryEntry[]>(`/api/history/${query}`),
    press: (deviceid: string, button: 'front' | 'plus' | 'minus' = 'front') => station.press(deviceid, button),
  };
}
