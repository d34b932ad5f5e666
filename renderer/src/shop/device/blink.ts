import { BLINK_PERIOD_MS, isLit } from '#shared/led/blink.ts';

/** So many lights change within one frame; the others follow in the next ones, too soon to be seen. */
const LIGHTS_PER_FRAME = 150;

/**
 * Blinks every LED of the page that has `data-blinks` in step, by an attribute that the style sheets read: no component
 * draws for it, and no style is asked of what does not blink. In step, because a hundred LEDs out of step would flash more
 * often than three times a second. Steady where the person asked for less motion. Answers what ends it.
 */
export function startBlinking(
  root: HTMLElement,
  reducedMotion: Pick<MediaQueryList, 'matches'>,
  nextFrame: (run: () => void) => void = (run) => void requestAnimationFrame(run),
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waiting: HTMLElement[] = [];
  let isDark = false;

  function draw(): void {
    const now = Date.now();
    isDark = !reducedMotion.matches && !isLit('blink', now);
    const isGoingOn = waiting.length > 0;
    waiting = [...root.querySelectorAll<HTMLElement>(isDark ? '[data-blinks]' : '[data-dark]')];
    if (!isGoingOn) drawSome();
    const half = BLINK_PERIOD_MS / 2;
    timer = setTimeout(draw, half - (now % half));
  }

  function drawSome(): void {
    for (const light of waiting.splice(0, LIGHTS_PER_FRAME))
      light.toggleAttribute('data-dark', isDark && light.hasAttribute('data-blinks'));
    if (waiting.length > 0) nextFrame(drawSome);
  }

  draw();
  return () => {
    clearTimeout(timer);
    [waiting, isDark] = [[...root.querySelectorAll<HTMLElement>('[data-dark]')], false];
    drawSome();
  };
}
