import type { WebContents } from 'electron';

/** Step of Chromium's built-in zoom commands. Zoom level 0 is 100 %. */
const STEP = 0.5;
const MAX_LEVEL = 4;

/** Zoom directions by key, pressed with Ctrl or Cmd. 0 returns to 100 %. The number pad sends the same keys. */
const KEYS = new Map(Object.entries<-1 | 0 | 1>({ '+': 1, '=': 1, '-': -1, _: -1, '0': 0 }));

/** Lets the user zoom the page with keys, and with Ctrl and the mouse wheel. The menu supports neither Ctrl with = nor the wheel. */
export function addZoom(page: WebContents): void {
  function zoom(direction: -1 | 0 | 1): void {
    const level = direction === 0 ? 0 : page.getZoomLevel() + direction * STEP;
    page.setZoomLevel(Math.max(-MAX_LEVEL, Math.min(MAX_LEVEL, level)));
  }

  page.on('before-input-event', (event, { type, key, control, meta, alt }) => {
    const direction = KEYS.get(key);
    const isCommand = process.platform === 'darwin' ? meta : control;
    if (type !== 'keyDown' || direction === undefined || !isCommand || alt) return;
    event.preventDefault();
    zoom(direction);
  });
  page.on('zoom-changed', (_event, direction) => zoom(direction === 'in' ? 1 : -1));
}
