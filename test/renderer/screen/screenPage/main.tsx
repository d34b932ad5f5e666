/** A page that contains only screens. Used by tests that read what the window draws in a real browser. */
import { StrictMode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { VERSION } from '#shared/api/version.ts';
import { SCREEN_HEIGHT, SCREEN_WIDTH } from '#shared/screen/content.ts';
import { bitmapToRgba, drawScreen } from '#shared/screen/raster.ts';
import { createCanvasBoxes } from '../../../../renderer/src/shop/screen/canvasBoxes.ts';
import { PaperProvider } from '../../../../renderer/src/shop/screen/paper.ts';
import { ScreenCanvas } from '../../../../renderer/src/shop/screen/ScreenCanvas.tsx';
import { StationProvider } from '../../../../renderer/src/station/context.ts';
import { createLiveWindow } from '../../../../renderer/src/station/live/liveWindow.ts';
import { createQueries } from '../../../../renderer/src/station/queries.ts';
import { createTicker } from '../../../../renderer/src/station/ticker.ts';
import '../../../../renderer/src/kit/tokens.css';
import type { ShownPayload } from '../../../helpers/screens/payloads.ts';

type Drawn = { screen: ShownPayload['screen']; firmware: number; batteryMv: number | null };

declare global {
  interface Window {
    /** Shows screens with the page's component. Returns each canvas as one character per pixel, `#` for ink. */
    showScreens(screens: readonly Drawn[]): Promise<string[]>;
    /** Draws screens on one canvas and reads each of them back. Returns the duration, and how many screens had ink. */
    timeScreens(screens: readonly Drawn[]): { ms: number; inked: number };
  }
}

const INK = [0, 0, 0] as const;
const PAPER = [255, 255, 255] as const;
const live = createLiveWindow(window, VERSION);
const context = {
  store: live.store,
  api: live.api,
  session: live.session,
  ticker: createTicker(1_000),
  boxes: createCanvasBoxes(window),
  queries: createQueries(live.store),
  outbox: { current: () => undefined, subscribe: () => () => undefined },
};
const place = document.getElementById('root');
if (place === null) throw new Error('index.html has no #root.');
const root = createRoot(place);
let shown = 0;

window.showScreens = async (screens) => {
  shown += 1;
  flushSync(() =>
    root.render(
      <StrictMode>
        <StationProvider value={context}>
          <PaperProvider value={{ ink: INK, paper: PAPER }}>
            {screens.map((drawn, index) => (
              <div key={`${shown}-${index}`} style={{ width: 600, height: 260, overflow: 'hidden' }}>
                <ScreenCanvas {...drawn} scale="whole" blankWords="" />
              </div>
            ))}
          </PaperProvider>
        </StationProvider>
      </StrictMode>,
    ),
  );
  // A canvas is drawn only in view, once its observers have reported its size.
  window.scrollTo(0, 0);
  const pictures: string[] = [];
  for (const canvas of document.querySelectorAll('canvas')) {
    canvas.scrollIntoView();
    while (canvas.width !== SCREEN_WIDTH || !isDrawn(canvas)) await frame();
    pictures.push(read(canvas));
  }
  return pictures;
};

window.timeScreens = (screens) => {
  const canvas = new OffscreenCanvas(SCREEN_WIDTH, SCREEN_HEIGHT);
  const pen = canvas.getContext('2d', { willReadFrequently: true });
  if (pen === null) throw new Error('The browser has no canvas.');
  let inked = 0;
  const began = performance.now();
  for (const { screen, firmware, batteryMv } of screens) {
    const rgba = bitmapToRgba(drawScreen(screen, { firmware, batteryMv }), { ink: INK, paper: PAPER });
    pen.putImageData(new ImageData(rgba, SCREEN_WIDTH, SCREEN_HEIGHT), 0, 0);
    const { data } = pen.getImageData(0, 0, SCREEN_WIDTH, SCREEN_HEIGHT);
    if (data.includes(0)) inked += 1;
  }
  return { ms: performance.now() - began, inked };
};

function frame(): Promise<unknown> {
  return new Promise((resolve) => requestAnimationFrame(resolve));
}

/** Whether the canvas has been drawn. Drawn paper is opaque; an empty canvas is transparent. */
function isDrawn(canvas: HTMLCanvasElement): boolean {
  return canvas.getContext('2d')?.getImageData(0, 0, 1, 1).data[3] === 255;
}

function read(canvas: HTMLCanvasElement): string {
  const data = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
  let pixels = '';
  for (let at = 0; at < data.length; at += 4) pixels += (data[at] ?? 0) < 128 ? '#' : '.';
  return pixels;
}
