import { act } from '@testing-library/react';
import { Profiler, useSyncExternalStore } from 'react';
import { beforeEach, describe, expect, test } from 'vitest';
import { findDevice } from '#shared/api/reducer.ts';
import type { Fact } from '#shared/api/station.ts';
import { DEVICES_PER_FRAME } from '../../../renderer/src/station/live/pacedWatchers.ts';
import { applyMessages, createStationStore, takeSnapshot } from '../../../renderer/src/station/live/store.ts';
import { useCounts, useDevice, useStationContext, type StationContext } from '../../../renderer/src/station/context.ts';
import type { StreamMessage } from '../../../renderer/src/station/live/stream.ts';
import { command, device, show, station, testContext } from '../support.tsx';

const ids = Array.from({ length: 200 }, (_, index) => `51D000:${String(index + 1).padStart(6, '0')}`);
const [A = '', B = '', C = ''] = ids;

let context: StationContext;
let renders: string[];
let commits: number;
let revision: number;

/** A component that shows one device. */
function Part({ deviceid }: { deviceid: string }) {
  renders.push(deviceid);
  return <li>{useDevice(deviceid)?.statica}</li>;
}

function Counts() {
  renders.push('counts');
  return <p>{useCounts().waiting}</p>;
}

function Order() {
  const { store } = useStationContext();
  renders.push('order');
  return <p>{useSyncExternalStore(store.subscribe, () => store.getState().places).length}</p>;
}

beforeEach(() => {
  context = testContext({ station: station(...ids.map((id) => device(id))) });
  [renders, commits, revision] = [[], 0, 5];
  show(
    context,
    <Profiler id="page" onRender={() => (commits += 1)}>
      <Counts />
      <Order />
      {ids.map((id) => (
        <Part key={id} deviceid={id} />
      ))}
    </Profiler>,
  );
  [renders, commits] = [[], 0];
});

function facts(...given: Fact[]): StreamMessage {
  revision += 1;
  return { kind: 'facts', revision, facts: given };
}

function says(deviceid: string, statica: string): Fact {
  return { type: 'device.changed', deviceid, changed: { statica } };
}

function handle(...messages: StreamMessage[]): void {
  act(() => applyMessages(context.store, messages));
}

describe('one commit and one tile per change', () => {
  test('a change to one device draws only that device, once', () => {
    handle(facts(says(B, 'new')));
    expect(renders).toEqual([B]);
    expect(commits).toBe(1);
  });

  test('a condition of one device draws only that device, once', () => {
    handle({ kind: 'ephemera', ephemera: { devices: [{ deviceid: C, rssi: -70 }], turbos: [] } });
    expect(renders).toEqual([C]);
    expect(commits).toBe(1);
  });

  test('a change notifies only the watchers of the changed device', () => {
    const asked: string[] = [];
    for (const id of [A, A, B]) context.store.watchDevice(id, () => asked.push(id));
    const end = context.store.watchDevice(A, () => asked.push('gone'));
    end();
    handle(facts(says(A, 'new')));
    expect(asked).toEqual([A, A]);
  });

  test('several messages in one batch cause one commit, and each device is drawn once', () => {
    handle(facts(says(A, 'one')), facts(says(A, 'two'), says(B, 'three')), facts(says(A, 'four')));
    expect(renders.toSorted()).toEqual([A, B]);
    expect(commits).toBe(1);
  });

  test('spreads a change to all devices over several frames, and each watcher reads the latest state', () => {
    const frames: ((atMs: number) => void)[] = [];
    const given = station(...ids.map((id) => device(id)));
    const store = createStationStore({ station: given }, (run) => frames.push(run));
    const read: (string | undefined)[] = [];
    for (const id of ids)
      store.watchDevice(id, () => read.push(findDevice(store.getState().station?.devices ?? [], id)?.statica));
    applyMessages(store, [facts(...ids.map((id) => says(id, 'one')))]);
    expect(read.length).toBe(DEVICES_PER_FRAME);
    applyMessages(store, [facts(...ids.slice(DEVICES_PER_FRAME).map((id) => says(id, 'two')))]);
    while (frames.length > 0) for (const run of frames.splice(0)) run(0);
    expect(read).toEqual(ids.map((_, index) => (index < DEVICES_PER_FRAME ? 'one' : 'two')));
  });

  test('draws nothing when nothing changed', () => {
    handle(
      facts(says(A, '')),
      facts({
        type: 'press.late',
        deviceid: A,
        at: '2026-11-20T08:00:00.000Z',
        location: '',
        quantity: null,
        picker: null,
      }),
      {
        kind: 'ephemera',
        ephemera: { devices: [{ deviceid: C, rssi: -60 }], turbos: [] },
      },
    );
    expect(renders).toEqual([]);
    expect(commits).toBe(0);
  });

  test('redraws the figures when one of them changes', () => {
    handle(facts({ type: 'command.queued', deviceid: A, command: command('1', { state: 'queued' }) }));
    expect(renders.toSorted()).toEqual([A, 'counts']);
    expect(commits).toBe(1);
  });

  test('sorts the places again only when a name changes', () => {
    handle(facts({ type: 'device.changed', deviceid: C, changed: { locationoverride: 'A-1' } }));
    expect(renders.toSorted()).toEqual([C, 'order']);
    expect(context.store.getState().places[0]).toEqual({ deviceid: C, name: 'A-1' });
  });

  test('a new snapshot draws only the devices that differ', () => {
    const devices = ids.map((id) => device(id, id === B ? { statica: 'other' } : {}));
    act(() => takeSnapshot(context.store, { station: { ...station(...devices), revision: 90 }, clockSkewMs: 0 }));
    expect(renders).toEqual([B]);
    expect(commits).toBe(1);
  });

  test('removing a device redraws its tile and the list, but not its neighbors', () => {
    handle(facts({ type: 'device.removed', deviceid: B }));
    expect(renders.toSorted()).toEqual([B, 'order']);
  });
});
