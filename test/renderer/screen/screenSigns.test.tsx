// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { EMPTY_SCREEN, type ScreenContent } from '#shared/screen/content.ts';
import { hasIconSheets } from '#shared/screen/iconSheets.ts';
import { useGlyphs } from '../../../renderer/src/shop/screen/ScreenCanvas.tsx';

const screenOf = (given: Partial<ScreenContent>): ScreenContent => ({ ...EMPTY_SCREEN, ...given });

test('loads the icons when a screen first needs one, and does not draw the screen until they have loaded', async () => {
  const { result, rerender } = renderHook(useGlyphs, { initialProps: screenOf({ lines: ['M8 nut'] }) });
  expect(result.current).toBe(true);
  expect(hasIconSheets()).toBe(false);
  rerender(screenOf({ icon: 'hazardd' }));
  expect(result.current).toBe(false);
  await act(async () => void (await import('#shared/screen/allIcons.ts')));
  expect(result.current).toBe(true);
  expect(hasIconSheets()).toBe(true);
});
