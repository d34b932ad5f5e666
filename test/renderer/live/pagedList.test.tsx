import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { usePagedList } from '../../../renderer/src/station/usePagedList.ts';

const ids = (...names: string[]) => names.map((id) => ({ id }));
const loaded = (...names: string[]) => ({ status: 'loaded', value: ids(...names), reload: () => undefined }) as const;

test('drops the pages of another list, also those that arrive late', async () => {
  const answers: ((page: { id: string }[]) => void)[] = [];
  const load = () => new Promise<{ id: string }[]>((resolve) => answers.push(resolve));
  const { result, rerender } = renderHook(({ of, newest }) => usePagedList(newest, { of, size: 2, load }), {
    initialProps: { of: 'all', newest: loaded('a', 'b') },
  });
  const shown = () => [result.current.entries.map(({ id }) => id).join(''), result.current.isEnd];
  await act(async () => result.current.loadOlder());
  await act(async () => answers[0]?.(ids('c', 'd')));
  expect(shown()).toEqual(['abcd', false]);
  await act(async () => result.current.loadOlder());
  // A search finds an entry that is also in the other list.
  rerender({ of: 'search', newest: loaded('b') });
  expect(shown()).toEqual(['b', true]);
  await act(async () => answers[1]?.(ids('e')));
  expect(shown()).toEqual(['b', true]);
  rerender({ of: 'all', newest: loaded('a', 'b') });
  expect(shown()[0]).toMatch(/^ab/);
});
