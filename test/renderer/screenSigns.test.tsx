// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { EMPTY_SCREEN } from '#shared/screen/content.ts';
import { hasIconSheets } from '#shared/screen/iconSheets.ts';
import { useGlyphs } from '../../renderer/src/screen/useGlyphs.ts';

test('the signs are loaded when a screen first has one, and it is not drawn without them', async () => {
  const { result, rerender } = renderHook(useGlyphs, { initialProps: { ...EMPTY_SCREEN, lines: ['M8 nut'] } });
  expect(result.current).toBe(true);
  expect(hasIconSheets()).toBe(false);
  rerender({ ...EMPTY_SCREEN, icon: 'hazardd' });
  expect(result.current).toBe(false);
  await act(async () => void (await import('#shared/screen/allIcons.ts')));
  expect(result.current).toBe(true);
  expect(hasIconSheets()).toBe(true);
});
