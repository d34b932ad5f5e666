import { type FocusEvent, type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';
import type { MapLayout } from './mapLayout.ts';
import { tileLinkId } from './neighbor.ts';

/**
 * Keeps the focus on a device, although rows are drawn only near the visible part of the map. The row of the device in `carried` also stays
 * drawn. `selected` is the device whose panel is open.
 */
export function useTileFocus(
  layout: MapLayout,
  scroll: RefObject<HTMLElement | null>,
  { selected, carried }: { selected: string | undefined; carried: string | undefined },
) {
  const [wanted, setWanted] = useState<{ deviceid: string }>();
  const given = useRef<object>(undefined);
  const focused = useRef<string>(undefined);

  const reveal = (row: number): void => scrollToRow(scroll.current, layout, row);

  useLayoutEffect(() => {
    if (wanted === undefined || given.current === wanted) return;
    // Wait: the row may not be rendered until it is scrolled into view.
    const control = document.getElementById(tileLinkId(wanted.deviceid));
    if (control === null) return;
    given.current = wanted;
    control.focus({ preventScroll: true });
  });

  // A new layout replaces the rows, so move the focus to the new tile.
  useLayoutEffect(() => {
    if (focused.current === undefined || document.activeElement !== document.body) return;
    document.getElementById(tileLinkId(focused.current))?.focus({ preventScroll: true });
  });

  return {
    /** Returns the devices whose rows are drawn even if they are out of view. */
    pinned: useCallback(() => [focused.current, wanted?.deviceid, carried], [wanted, carried]),
    /** Returns the device that keeps its position on the screen when the layout changes. */
    anchor: useCallback(() => selected ?? carried ?? focused.current, [selected, carried]),
    reveal,
    /** Focuses a device and scrolls to it. */
    focus(deviceid: string): void {
      const row = layout.spots.get(deviceid)?.row;
      if (row !== undefined) reveal(row);
      setWanted({ deviceid });
    },
    onFocus(event: FocusEvent<HTMLElement>): void {
      focused.current = event.target.closest<HTMLElement>('[data-deviceid]')?.dataset['deviceid'];
    },
    onBlur({ target }: FocusEvent<HTMLElement>): void {
      queueMicrotask(() => {
        // Forget the device if the user clicked elsewhere, but not if its row was removed.
        if (target.isConnected && document.activeElement === document.body) focused.current = undefined;
      });
    },
  };
}

/** Scrolls just far enough to show the row. */
function scrollToRow(element: HTMLElement | null, { starts }: Pick<MapLayout, 'starts'>, row: number): void {
  const top = starts[row];
  const bottom = starts[row + 1];
  if (element === null || top === undefined || bottom === undefined) return;
  const { scrollTop, clientHeight } = element;
  if (top < scrollTop) element.scrollTop = top;
  else if (bottom > scrollTop + clientHeight) element.scrollTop = bottom - clientHeight;
}
