import { BLINK_PERIOD_MS, isLit } from '#shared/led/blink.ts';

/**
 * Blinks every blinking LED of the page in step, by an attribute of the root that the style sheets read: no component draws
 * for it. In step, because a hundred LEDs out of step would flash more often than three times a second. Steady where the
 * person asked for less motion. Answers what ends it.
 */
export function startBlinking(root: HTMLElement, reducedMotion: MediaQueryList): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;

  function draw(): void {
    const now = Date.now();
    root.dataset['blink'] = reducedMotion.matches || isLit('blink', now) ? 'lit' : 'dark';
    const half = BLINK_PERIOD_MS / 2;
    timer = setTimeout(draw, half - (now % half));
  }

  draw();
  return () => {
    clearTimeout(timer);
    delete root.dataset['blink'];
  };
}
