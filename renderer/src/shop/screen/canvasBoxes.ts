import { createFrameBudget, type FrameBudget } from './frameBudget.ts';

/** A canvas, with its width in CSS pixels, whether it is near the visible area, and the number of device pixels per CSS pixel. */
export type CanvasBox = { width: number; near: boolean; pixelRatio: number };

export type CanvasBoxes = {
  /** Calls `onResize` whenever the element's box changes. Returns a function that stops watching. */
  watch(element: Element, onResize: (box: CanvasBox) => void): () => void;
  /** Draws a canvas immediately or, if many are waiting, in one of the next frames. */
  draw: FrameBudget;
};

/** Distance from the window within which canvases are drawn, so that scrolling reveals no blank canvases. */
const MARGIN = '400px';

/** Shares one observer of each kind among all canvases, because a thousand observers would cost more than the drawing. */
export function createCanvasBoxes(window: Window & typeof globalThis): CanvasBoxes {
  const watched = new Map<Element, { box: CanvasBox; onResize: (box: CanvasBox) => void }>();

  function update(element: Element, change: Partial<CanvasBox>): void {
    const entry = watched.get(element);
    if (entry === undefined) return;
    entry.box = { ...entry.box, pixelRatio: window.devicePixelRatio, ...change };
    entry.onResize(entry.box);
  }

  const sizes = new window.ResizeObserver((entries) => {
    for (const { target, contentRect } of entries) update(target, { width: contentRect.width });
  });
  const views = new window.IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        update(target, { near: isIntersecting });
        if (isIntersecting) sizes.observe(target);
        else sizes.unobserve(target);
      }
    },
    { rootMargin: MARGIN },
  );
  // Zooming, or moving to another monitor, changes the device pixels per CSS pixel.
  window.addEventListener('resize', () => {
    for (const element of watched.keys()) update(element, {});
  });

  return {
    draw: createFrameBudget(
      (run) => void window.requestAnimationFrame(run),
      () => window.performance.now(),
    ),
    watch(element, onResize) {
      watched.set(element, { box: { width: 0, near: false, pixelRatio: window.devicePixelRatio }, onResize });
      views.observe(element);
      return () => {
        watched.delete(element);
        views.unobserve(element);
        sizes.unobserve(element);
      };
    },
  };
}
