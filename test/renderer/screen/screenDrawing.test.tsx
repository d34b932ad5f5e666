// @vitest-environment happy-dom
import { act, render } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { EMPTY_SCREEN, type ScreenContent } from '#shared/screen/content.ts';
import { isComplete } from '#shared/screen/sheets.ts';
import type { CanvasBox } from '../../../renderer/src/shop/screen/canvasBoxes.ts';
import { ScreenCanvas } from '../../../renderer/src/shop/screen/ScreenCanvas.tsx';
import { StationProvider } from '../../../renderer/src/station/context.ts';
import { drawAtOnce, testContext } from '../support.tsx';

const NEAR: CanvasBox = { width: 296, near: true, pixelRatio: 1 };
const screen: ScreenContent = { ...EMPTY_SCREEN, label: 'A-1', lines: ['M8 nut'] };

let drawings: number;
let handle: (box: CanvasBox) => void;

beforeEach(() => {
  drawings = 0;
  vi.stubGlobal('ImageData', Object);
  const context = { putImageData: () => (drawings += 1) };
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as never);
  return () => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  };
});

function showScreen() {
  const context = testContext();
  context.boxes = {
    watch(_element, listener) {
      handle = listener;
      return () => undefined;
    },
    draw: drawAtOnce,
  };
  const drawn = (content: ScreenContent, batteryMv: number) => (
    <StationProvider value={context}>
      <ScreenCanvas screen={content} firmware={70} batteryMv={batteryMv} scale="whole" blankWords="" />
    </StationProvider>
  );
  const { rerender } = render(drawn(screen, 2_980));
  return (content: ScreenContent, batteryMv: number) => rerender(drawn(content, batteryMv));
}

test('does not draw a screen that is out of view', () => {
  const update = showScreen();
  update({ ...screen, lines: ['M10 nut'] }, 2_980);
  expect(drawings).toBe(0);
  act(() => handle(NEAR));
  expect(drawings).toBe(1);
});

test('redraws only when the content changes', () => {
  const update = showScreen();
  act(() => handle(NEAR));
  update({ ...screen, lines: [...screen.lines] }, 2_980);
  act(() => handle({ ...NEAR }));
  expect(drawings).toBe(1);
  update({ ...screen, lines: ['M10 nut'] }, 2_980);
  expect(drawings).toBe(2);
});

test('redraws for the battery only when its voltage changes by a hundredth of a volt', () => {
  const update = showScreen();
  act(() => handle(NEAR));
  update(screen, 2_983);
  expect(drawings).toBe(1);
  update(screen, 2_970);
  expect(drawings).toBe(2);
});

test('frees the memory of a screen that is scrolled out of view, and redraws the screen when it returns', () => {
  showScreen();
  act(() => handle(NEAR));
  act(() => handle({ ...NEAR, near: false }));
  expect(document.querySelector('canvas')?.width).toBe(0);
  act(() => handle(NEAR));
  expect(drawings).toBe(2);
});

test('loads glyphs beyond Western European ones on first use, and redraws the screen once they have loaded', async () => {
  expect(isComplete()).toBe(false);
  const update = showScreen();
  act(() => handle(NEAR));
  update({ ...screen, lines: ['Болт М8'] }, 2_980);
  expect(drawings).toBe(1);
  await act(async () => void (await import('#shared/screen/allSheets.ts')));
  expect(drawings).toBe(2);
  update({ ...screen, lines: ['Гайка М8'] }, 2_980);
  expect(drawings).toBe(3);
});

test.each([
  ['at its original size if there is room', { width: 384, height: 168 }, 592, 'whole', [384, 168]],
  ['smaller, and at most as high as a usual screen', { width: 384, height: 168 }, 296, 'whole', [292.5, 128]],
  ['square', { width: 152, height: 152 }, 148, 'fill', [64, 64]],
  ['twice as large', { width: 152, height: 152 }, 904, 'whole', [304, 304]],
  ['as wide as the available space', { width: 522, height: 152 }, 200, 'fill', [200, 58.2]],
  ['the usual size', { width: 296, height: 128 }, 200, 'fill', [200, 86.5]],
] as const)('keeps the aspect ratio of a screen: %s', (_what, size, width, scale, [wide, high]) => {
  const context = testContext();
  context.boxes = {
    watch(_element, listener) {
      handle = listener;
      return () => undefined;
    },
    draw: drawAtOnce,
  };
  const { container } = render(
    <StationProvider value={context}>
      <ScreenCanvas screen={screen} firmware={70} batteryMv={2_980} size={size} scale={scale} blankWords="" />
    </StationProvider>,
  );
  act(() => handle({ width, near: true, pixelRatio: 1 }));
  const style = container.querySelector('canvas')?.style;
  expect(Math.abs(Number.parseFloat(style?.width ?? '') - wide)).toBeLessThan(1);
  expect(Math.abs(Number.parseFloat(style?.height ?? '') - high)).toBeLessThan(1);
});
