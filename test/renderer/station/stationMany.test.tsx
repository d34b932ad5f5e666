// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { Profiler, type ComponentProps } from 'react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { DeviceTile } from '../../../renderer/src/features/station/DeviceTile.tsx';
import { DEVICES_PER_FRAME } from '../../../renderer/src/station/live/pacedWatchers.ts';
import { applyMessages } from '../../../renderer/src/station/live/store.ts';
import { device, station } from '../support.tsx';
import { fullRacks, id, rack, showPage } from './stationMapSupport.tsx';

const drawn = vi.hoisted(() => [] as string[]);
/** Devices whose tiles the map rendered, including tiles that were not drawn. */
const asked = vi.hoisted(() => [] as string[]);

vi.mock('../../../renderer/src/features/station/DeviceTile.tsx', async (original) => {
  const module = await original<{ DeviceTile: typeof DeviceTile }>();
  return {
    DeviceTile: (props: ComponentProps<typeof DeviceTile>) => {
      asked.push(props.deviceid);
      return (
        <Profiler id={props.deviceid} onRender={(deviceid) => drawn.push(deviceid)}>
          <module.DeviceTile {...props} />
        </Profiler>
      );
    },
  };
});

const LETTERS = 'ABCDEFGHIJ'.split('');
/**
 * Maximum number of tiles. A window of 720 px shows 5 rows of 5 tiles; the limit includes rows around the window and
 * the focused tile.
 */
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

test('draws only the devices near the window, but counts all thousand', () => {
  showThousand();
  expect(tiles()).toBeGreaterThan(20);
  expect(tiles()).toBeLessThanOrEqual(MAX_TILES);
  expect(screen.getByRole('grid', { name: 'Devices' }).getAttribute('aria-rowcount')).toBe('210');
  expect(screen.getByText('1000 devices')).toBeTruthy();
});

test('a change to one device draws exactly one tile, or none if the device is out of view', () => {
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

test('End draws and focuses the last device, and Home the first one', async () => {
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

test('a search draws only matching devices, in their columns', async () => {
  showThousand();
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: '-7-3' } });
  expect(screen.getByText('10 of 1000 devices')).toBeTruthy();
  // Many tiles are drawn over several frames.
  await screen.findByRole('link', { name: 'D-7-3' });
  await waitFor(() => {
    const links = screen.getAllByRole('link').map(({ textContent }) => textContent);
    expect(links).toEqual(LETTERS.map((letter) => `${letter}-7-3`).slice(0, links.length));
    expect(links.length).toBeGreaterThan(3);
  });
  const cell = screen.getByRole('link', { name: 'B-7-3' }).closest('[role="gridcell"]');
  expect(cell?.getAttribute('aria-colindex')).toBe('3');
});

describe('frame by frame', () => {
  let frames: ((atMs: number) => void)[];
  let nowMs: number;

  beforeEach(() => {
    [frames, nowMs] = [[], 5_000];
    vi.stubGlobal('requestAnimationFrame', (run: (atMs: number) => void) => frames.push(run));
    vi.stubGlobal('cancelAnimationFrame', (number: number) => frames.splice(number - 1, 1, () => undefined));
    return () => vi.unstubAllGlobals();
  });

  function frame(): void {
    nowMs += 17;
    act(() => {
      for (const run of frames.splice(0)) run(nowMs);
    });
  }

  test('a search redraws each tile once, a limited number per frame, without rendering rows again', () => {
    showThousand();
    while (frames.length > 0) frame();
    const seen = tiles();
    [drawn.length, asked.length] = [0, 0];
    // Every name contains a hyphen.
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: '-' } });
    expect(drawn.length).toBe(DEVICES_PER_FRAME);
    while (frames.length > 0) frame();
    expect(drawn.length).toBe(seen);
    expect(new Set(drawn).size).toBe(seen);
    expect(asked).toEqual([]);
  });

  test('spreads the first drawing of a thousand tiles over several frames', () => {
    localStorage.setItem('pickstation.level', 'overview');
    showPage(station(...Array.from({ length: 1_000 }, (_, index) => device(id(index + 1)))));
    const first = tiles();
    expect(first).toBeLessThan(40);
    frame();
    expect(tiles()).toBeGreaterThan(first);
    expect(tiles()).toBeLessThan(first + 40);
    while (frames.length > 0) frame();
    expect(tiles()).toBeGreaterThan(100);
  });
});
