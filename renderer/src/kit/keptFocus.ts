/** An element that had the focus, with its ancestors from the inside out and the place of each among its siblings. */
type Focused = { element: HTMLElement; control: string | undefined; places: readonly [Element, number][] };

const OVERLAYS = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]';
const FOCUSABLE =
  'a[href], button:not(:disabled), input:not(:disabled), textarea:not(:disabled), [tabindex]:not([tabindex="-1"])';
/** Where Tab stops in a list. */
const TAB_STOP = '[data-row] [data-control][tabindex="0"]';

/**
 * Moves the focus to the neighbor of an element that disappeared with the focus: of a deleted row to the next one, of a button to its
 * successor. Without this, a person at the keyboard would start at the top of the page again. Returns its stop. `isOff`: whether the page at
 * this path moves the focus itself.
 */
export function keepFocus(isOff: (path: string) => boolean): () => void {
  let last: Focused | undefined;
  let path = '';

  function onFocusIn({ target }: FocusEvent): void {
    if (!(target instanceof HTMLElement) || target.closest(OVERLAYS) !== null) return;
    path = window.location.pathname;
    last = { element: target, control: target.dataset['control'], places: placesOf(target) };
  }

  /** A click beside everything takes the focus away on purpose. */
  function onFocusOut(): void {
    const left = last;
    queueMicrotask(() => {
      if (left === last && left?.element.isConnected === true && isNowhere() && document.hasFocus()) last = undefined;
    });
  }

  const isLost = () => last !== undefined && !last.element.isConnected && isNowhere();

  function onChange(): void {
    if (!isLost()) return;
    // A dialog that closes returns the focus in the next frame.
    requestAnimationFrame(() => requestAnimationFrame(restore));
  }

  function restore(): void {
    if (last === undefined || !isLost()) return;
    const { control, places } = last;
    last = undefined;
    if (window.location.pathname !== path || isOff(path)) return;
    neighborOf(places, control)?.focus({ preventScroll: true });
  }

  const observer = new MutationObserver(onChange);
  observer.observe(document.body, { childList: true, subtree: true });
  document.addEventListener('focusin', onFocusIn);
  document.addEventListener('focusout', onFocusOut);
  return () => {
    observer.disconnect();
    document.removeEventListener('focusin', onFocusIn);
    document.removeEventListener('focusout', onFocusOut);
  };
}

function isNowhere(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

function placesOf(element: Element): [Element, number][] {
  const places: [Element, number][] = [];
  for (let child = element, parent = child.parentElement; parent !== null; child = parent, parent = child.parentElement)
    places.push([parent, Array.prototype.indexOf.call(parent.children, child)]);
  return places;
}

/** The closest element that is still there: after the lost one, otherwise before it, otherwise around it. */
function neighborOf(places: Focused['places'], control: string | undefined): HTMLElement | undefined {
  for (const [parent, place] of places) {
    if (!parent.isConnected) continue;
    const children = [...parent.children];
    for (const each of [...children.slice(place), ...children.slice(0, place).toReversed()]) {
      const found = focusableIn(each, control);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function focusableIn(part: Element, control: string | undefined): HTMLElement | undefined {
  const same = control === undefined ? null : part.querySelector<HTMLElement>(`[data-control="${control}"]`);
  if (same !== null) return same;
  if (part instanceof HTMLElement && part.matches(FOCUSABLE)) return part;
  return part.querySelector<HTMLElement>(TAB_STOP) ?? part.querySelector<HTMLElement>(FOCUSABLE) ?? undefined;
}
