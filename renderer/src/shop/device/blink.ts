import { BLINK_PERIOD_MS, isLit } from '#shared/led/blink.ts';

/** Maximum number of lights that change per frame. All others follow in the next frames, too soon for people to notice. */
const LIGHTS_PER_FRAME = 150;

/**
 * Blinks all LEDs with `data-blinks` in step, because a hundred LEDs out of step would flash more than three times
 * per second. Sets an attribute for style sheets, so that no component rerenders. LEDs stay steady if the person
 * prefers reduced motion. Returns a function that stops the blinking.
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
