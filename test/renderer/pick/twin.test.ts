import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useTwin } from '../../../renderer/src/features/pick/useTwin.ts';

type Listener = (event: { data: unknown }) => void;

/** A channel that delivers messages to the other channels immediately. */
class TestChannel {
  static open = new Set<TestChannel>();
  private readonly listeners: Listener[] = [];

  constructor() {
    TestChannel.open.add(this);
  }

  addEventListener(_: 'message', listener: Listener): void {
    this.listeners.push(listener);
  }

  postMessage(data: unknown): void {
    for (const each of TestChannel.open) if (each !== this) for (const listener of each.listeners) listener({ data });
  }

  close(): void {
    TestChannel.open.delete(this);
  }
}

beforeEach(() => {
  vi.stubGlobal('BroadcastChannel', TestChannel);
  // Over plain HTTP, browsers lack `crypto.randomUUID`.
  vi.stubGlobal('crypto', { getRandomValues: (bytes: Uint8Array) => bytes.map(() => Math.random() * 256) });
});
afterEach(() => {
  vi.unstubAllGlobals();
  TestChannel.open.clear();
});

const openTab = (order: string) => renderHook(() => useTwin(order));

test('warns while another tab shows the same order, until the last of several is closed', () => {
  const first = openTab('SO-1');
  expect(first.result.current).toBe(false);
  const second = openTab('SO-1');
  const third = openTab('SO-1');
  expect([first, second, third].map(({ result }) => result.current)).toEqual([true, true, true]);
  act(() => third.unmount());
  expect([first, second].map(({ result }) => result.current)).toEqual([true, true]);
  act(() => second.unmount());
  expect(first.result.current).toBe(false);
});

test('stops warning when the other tab is closed or reloaded, and warns again if Back restores it', () => {
  const first = openTab('SO-1');
  openTab('SO-1');
  expect(first.result.current).toBe(true);
  act(() => void window.dispatchEvent(new Event('pagehide')));
  expect(first.result.current).toBe(false);
  act(() => void window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: false })));
  expect(first.result.current).toBe(false);
  act(() => void window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true })));
  expect(first.result.current).toBe(true);
});

test('does not warn while other tabs show other orders', () => {
  const first = openTab('SO-1');
  const second = openTab('SO-2');
  expect([first, second].map(({ result }) => result.current)).toEqual([false, false]);
});
