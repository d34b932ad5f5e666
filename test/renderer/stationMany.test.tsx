// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react';
import { Profiler, type ComponentProps } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import type { DeviceTile } from '../../renderer/src/features/station/DeviceTile.tsx';
import { applyMessages } from '../../renderer/src/station/store.ts';
import { station } from './support.tsx';
import { fullRacks, id, rack, showPage } from './stationMapSupport.tsx';

const drawn = vi.hoisted(() => [] as string[]);

vi.mock('../../renderer/src/features/station/DeviceTile.tsx', async (original) => {
  const module = await original<{ DeviceTile: typeof DeviceTile }>();
  return {
    DeviceTile: (props: ComponentProps<typeof DeviceTile>) => (
      <Profiler id={props.deviceid} onRender={(deviceid) => drawn.push(deviceid)}>
        <module.DeviceTile {...props} />
      </Profiler>
    ),
  };
});

const LETTERS = 'ABCDEFGHIJ'.split('');
/** A window of 720 px shows 5 lines of 5 tiles; with those around it, and what the focus keeps. */
const MAX_TILES = 60;

beforeEach(() => {
  window.history.replaceState(null, '', '/');
  localStorage.clear();
});

function showThousand() {
  const racks = LETTERS.map((letter) => rack(letter, 10, 10));
  const { map, devices } = fullRacks(racks, 1_000);
  return showPage({ ...station(...devices), map });
}

const tiles = () => document.querySelectorAll('[data-deviceid]').length;

test('of a thousand devices only those near the window are drawn, and all are counted', () => {
  showThousand();
  expect(tiles()).toBeGreaterThan(20);
  expect(tiles()).toBeLessThanOrEqual(MAX_TILES);
  expect(screen.getByRole('grid', { name: 'Devices' }).getAttribute('aria-rowcount')).toBe('210');
  expect(screen.getByText('1000 devices')).toBeTruthy();
});

test('a change of one device draws exactly one tile, and of one that is not seen none', () => {
  const { context } = showThousand();
  const change = (deviceid: string, battery: number) =>
    act(() =>
      applyMessages(context.store, [{ kind: 'ephemera', ephemera: { devices: [{ deviceid, battery }], turbos: [] } }]),
    );
  drawn.length = 0;
  change(id(3), 50);
  expect(drawn).toEqual([id(3)]);
  change(id(900), 50);
  expect(drawn).toEqual([id(3)]);
});

test('End goes to the last device, which is drawn then, and Home back to the first', async () => {
  showThousand();
  const first = screen.getByRole('link', { name: 'A-10-1' });
  first.focus();
  await act(async () => fireEvent.keyDown(first, { key: 'End' }));
  const last = screen.getByRole('link', { name: 'J-1-10' });
  expect(document.activeElement).toBe(last);
  await act(async () => fireEvent.keyDown(last, { key: 'Home' }));
  expect(document.activeElement).toBe(screen.getByRole('link', { name: 'A-10-1' }));
  expect(tiles()).toBeLessThanOrEqual(MAX_TILES);
});

test('what the search leaves is all there: shelves without a match are left out', () => {
  showThousand();
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: '-7-3' } });
  expect(screen.getByText('10 of 1000 devices')).toBeTruthy();
  const links = screen.getAllByRole('link').map(({ textContent }) => textContent);
  expect(links).toEqual(LETTERS.map((letter) => `${letter}-7-3`).slice(0, links.length));
  expect(links.length).toBeGreaterThan(3);
  const cell = screen.getByRole('link', { name: 'B-7-3' }).closest('[role="gridcell"]');
  expect(cell?.getAttribute('aria-colindex')).toBe('3');
});
