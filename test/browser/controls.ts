import type { Page } from 'playwright-core';
import { takePictures, type Window } from './window.ts';

/** The frames in which Pick is used: monitor, tablet, and phone in both orientations. */
const FRAMES = [
  { width: 1_920, height: 1_080 },
  { width: 1_024, height: 768 },
  { width: 844, height: 390 },
  { width: 390, height: 844 },
] as const;

/** Number of equal frames after which a layout is at rest. */
const SETTLED = 4;
/** Maximum number of frames to wait, for pages with controls that move all the time. */
const MOST_FRAMES = 60;

/**
 * Runs in the page. Returns a line for each control that a person cannot press or read where it is drawn: it is out of the
 * window, something covers it, it overlaps another control, or its text is cut without an ellipsis. Scrolls to a control
 * that is out of view, as a person would.
 */
const LOOK = `(() => {
  const SIDE = 0.15;
  const shown = [...document.querySelectorAll('button, a[href], input, select, [role=button]')].filter((control) => {
    if (control.closest('[aria-hidden=true], [inert]') !== null) return false;
    for (let up = control; up !== null; up = up.parentElement) if (getComputedStyle(up).clip !== 'auto') return false;
    const box = control.getBoundingClientRect();
    const style = getComputedStyle(control);
    return control.checkVisibility({ visibilityProperty: true }) && box.width > 2 && box.height > 2
      && style.clipPath === 'none' && style.pointerEvents !== 'none' && Number(style.opacity) > 0;
  });
  const nameOf = (control) =>
    (control.getAttribute('aria-label') ?? control.textContent ?? '').replace(/\\s+/g, ' ').trim().slice(0, 60) || control.outerHTML.slice(0, 80);
  const lines = [];
  const boxes = [];
  for (const control of shown) {
    const name = nameOf(control);
    // These stay in view, because people press them without looking.
    if (!/^(Picked|One less|One more|Short…|All put|Put(?! \\d))/.test(name)) control.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    const { left, top, width, height, right, bottom } = control.getBoundingClientRect();
    if (left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1) {
      lines.push(name + ' is out of the window: ' + [left, top, right, bottom].map(Math.round).join(' '));
      continue;
    }
    const covers = new Set();
    for (const [x, y] of [[0.5, 0.5], [SIDE, SIDE], [1 - SIDE, SIDE], [SIDE, 1 - SIDE], [1 - SIDE, 1 - SIDE]]) {
      const hit = document.elementFromPoint(left + x * width, top + y * height);
      if (hit === null || control.contains(hit) || hit.closest('label')?.contains(control)) continue;
      covers.add(hit.closest('[class]')?.className.toString().slice(0, 40) + ' "' + nameOf(hit) + '"');
    }
    if (covers.size > 0) lines.push(name + ' is covered by ' + [...covers].join(' and '));
    boxes.push({ control, name, left, top, right, bottom, scroll: scrollY });
    const texts = document.createTreeWalker(control, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
      const range = document.createRange();
      range.selectNodeContents(text);
      const word = range.getBoundingClientRect();
      const size = Number.parseFloat(getComputedStyle(text.parentElement).fontSize);
      // A cut quantity reads as another quantity.
      const quantity = text.parentElement;
      if (quantity.tagName === 'STRONG' && quantity.scrollWidth > quantity.clientWidth + 1) lines.push(name + ' cuts ' + text.data.trim());
      let isCut = false;
      for (let up = text.parentElement; ; up = up.parentElement) {
        const style = getComputedStyle(up);
        const box = up.getBoundingClientRect();
        const hidden = style.clipPath !== 'none' || up.classList.contains('visuallyHidden') || style.textOverflow === 'ellipsis';
        if (hidden || text.data.trim() === '' || word.width === 0 || style.webkitLineClamp !== 'none') { isCut = false; break; }
        const clips = up === control || style.overflowX !== 'visible';
        if (clips && (word.left < box.left - 1 || word.right > box.right + 1)) isCut = true;
        // Glyphs are smaller than the line's box.
        if (clips && (word.top < box.top - 0.3 * size || word.bottom > box.bottom + 0.3 * size)) isCut = true;
        if (up === control) break;
      }
      if (isCut) lines.push(name + ' is too small for its text "' + text.data.trim() + '"');
    }
  }
  for (const [index, a] of boxes.entries())
    for (const b of boxes.slice(index + 1)) {
      if (a.control.contains(b.control) || b.control.contains(a.control)) continue;
      const now = (of) => of.control.getBoundingClientRect();
      const [p, q] = [now(a), now(b)];
      const wide = Math.min(p.right, q.right) - Math.max(p.left, q.left);
      const high = Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top);
      const scrollerOf = (of) => { let up = of.parentElement; while (up !== null && !/auto|scroll/.test(getComputedStyle(up).overflowY)) up = up.parentElement; return up; };
      if (wide > 1 && high > 1 && scrollerOf(a.control) === scrollerOf(b.control)) lines.push(a.name + ' overlaps ' + b.name);
    }
  return lines;
})()`;

/** Checks the controls of a window in each frame, and saves pictures in both themes if PICTURES is set. */
export async function findHiddenControls(window: Window, state: string): Promise<string[]> {
  const { page } = window;
  const usual = page.viewportSize();
  const found: string[] = [];
  for (const frame of FRAMES) {
    await page.setViewportSize(frame);
    await settle(page);
    const lines = await page.evaluate<string[]>(LOOK);
    found.push(...lines.map((line) => `${state} at ${frame.width} x ${frame.height}: ${line}`));
    await takePictures(window, `${state}-${frame.width}x${frame.height}`);
  }
  if (usual !== null) await page.setViewportSize(usual);
  return found;
}

/**
 * Returns a line for each of these elements that a person sees only after scrolling, in each frame. Use it for what people read without
 * touching the page.
 */
export async function findCut({ page }: Window, state: string, selector: string): Promise<string[]> {
  const usual = page.viewportSize();
  const found: string[] = [];
  for (const frame of FRAMES) {
    await page.setViewportSize(frame);
    await settle(page);
    const lines = await page.evaluate<string[]>(`(() => {
      const shown = [...document.querySelectorAll(${JSON.stringify(selector)})];
      const clips = (element) => {
        const up = [];
        for (let each = element.parentElement; each !== null; each = each.parentElement)
          if (getComputedStyle(each).overflowY !== 'visible' && getComputedStyle(each).display !== 'contents') up.push(each);
        return up;
      };
      for (const up of shown.flatMap(clips)) up.scrollTo(0, 0);
      const isCut = (element) => {
        const box = element.getBoundingClientRect();
        return clips(element).some((up) => {
          const room = up.getBoundingClientRect();
          return box.left < room.left - 1 || box.right > room.right + 1 || box.top < room.top - 1 || box.bottom > room.bottom + 1;
        });
      };
      return shown.length === 0 ? ['is not there'] : shown.filter(isCut).map((each) => each.textContent.trim() + ' is cut');
    })()`);
    found.push(...lines.map((line) => `${state} at ${frame.width} x ${frame.height}: ${line}`));
  }
  if (usual !== null) await page.setViewportSize(usual);
  return found;
}

/** Waits until the controls have stayed where they are for `SETTLED` frames, because parts of a page are drawn again after a new size. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(`(async () => {
    const boxes = () => JSON.stringify([...document.querySelectorAll('button, a, input')].map((each) => each.getBoundingClientRect()));
    let before = '';
    for (let still = 0, frames = 0; still < ${SETTLED} && frames < ${MOST_FRAMES}; frames += 1) {
      await new Promise((next) => requestAnimationFrame(next));
      const now = boxes();
      still = now === before ? still + 1 : 0;
      before = now;
    }
  })()`);
}
