/** An element that had the focus, its ancestors from the inside out, and the index of each among its siblings. */
type Focused = { element: HTMLElement; control: string | undefined; places: readonly [Element, number][] };

const DIALOGS = '[role="dialog"], [role="alertdialog"]';
const OVERLAYS = `${DIALOGS}, [role="menu"], [role="listbox"]`;
/**
 * Elements that can take over the focus. Text fields are excluded, because what the person types next is not meant
 * for them, and because on a tablet they open the keyboard.
 */
const FOCUSABLE =
  'a[href], button:not(:disabled), input:is([type="checkbox"], [type="radio"]):not(:disabled), [tabindex]:not([tabindex="-1"], input, textarea)';
/** The element of a list at which Tab stops. */
const TAB_STOP = '[data-row] [data-control][tabindex="0"]';

/**
 * Moves the focus to a neighbor when the focused element disappears, such as from a deleted row to the next one, or
 * from a button to its replacement. After a chain of dialogs, returns the focus to the element that opened the first
 * dialog. Otherwise, keyboard users would restart at the top of the page. `isOff` tells whether the page at a path
 * manages the focus itself. Returns a function that stops this.
 */
export function keepFocus(isOff: (path: string) => boolean): () => void {
  let last: Focused | undefined;
  /** The element of the open dialog or menu that was focused last. */
  let inOverlay: HTMLElement | undefined;
  let path = '';

  function onFocusIn({ target }: FocusEvent): void {
    if (!(target instanceof HTMLElement)) return;
    inOverlay = target.closest(OVERLAYS) === null ? undefined : target;
    if (inOverlay !== undefined) return;
    path = window.location.pathname;
    last = { element: target, control: target.dataset['control'], places: placesOf(target) };
  }

  /** Forgets the element if the user removed the focus on purpose by clicking an empty area. */
  function onFocusOut(): void {
    const left = inOverlay === undefined ? last : undefined;
    queueMicrotask(() => {
      if (left !== undefined && left === last && left.element.isConnected && isNowhere() && document.hasFocus())
        last = undefined;
    });
  }

  const isLost = () => last !== undefined && !(inOverlay ?? last.element).isConnected && isNowhere();

  function onChange(): void {
    if (!isLost()) return;
    // Wait two frames, because a closing dialog returns the focus in the next one.
    requestAnimationFrame(() => requestAnimationFrame(restore));
  }

  function restore(): void {
    // If a dialog is open, leave the focus alone, because a dialog keeps the focus itself.
    if (last === undefined || !isLost() || document.querySelector(DIALOGS) !== null) return;
    const { element, control, places } = last;
    last = undefined;
    inOverlay = undefined;
    if (window.location.pathname !== path || isOff(path)) return;
    const next = element.isConnected ? element : neighborOf(places, control);
    next?.focus({ preventScroll: true });
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

/**
 * Returns the closest focusable element that still exists. Searches after the lost element first, then before it,
 * then around it.
 */
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
