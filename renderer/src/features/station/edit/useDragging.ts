import { useEffect, type RefObject } from 'react';
import type { CarryStore, DropTarget } from './carry.ts';

/** Minimum distance of a drag. A shorter movement is a click by an unsteady hand. */
const MIN_PX = 5;
/** The map scrolls while the pointer is this close to its top or bottom edge, by at most `FASTEST_PX` per frame. */
const EDGE_PX = 56;
const FASTEST_PX = 18;

type Given = {
  enabled: boolean;
  grid: RefObject<HTMLElement | null>;
  scroll: RefObject<HTMLElement | null>;
  carry: CarryStore;
  pickUp(deviceid: string): void;
  drop(): void;
  cancel(): void;
  /** Called during a drag with the pointer's coordinates in the window. */
  follow(x: number, y: number): void;
};

/**
 * Lets people drag devices over the map: with a mouse anywhere on the tile, with a finger only by the grip, because
 * elsewhere a finger scrolls. Listens on the window, because the row where the drag started may be scrolled away.
 */
export function useDragging({ enabled, grid, scroll, carry, pickUp, drop, cancel, follow }: Given): void {
  useEffect(() => {
    const element = grid.current;
    if (!enabled || element === null) return undefined;
    const stops: (() => void)[] = [];
    let end: () => void = () => undefined;

    function begin(event: PointerEvent): void {
      const from = event.target instanceof Element ? event.target : null;
      const deviceid = from?.closest<HTMLElement>('[data-deviceid]')?.dataset['deviceid'];
      if (from === null || deviceid === undefined || event.button !== 0 || !event.isPrimary) return;
      if (event.pointerType === 'touch' && from.closest('[data-grip]') === null) return;
      if (carry.getState().carried !== undefined) return;
      end();
      end = drag(deviceid, event);
    }

    function drag(deviceid: string, { pointerId, clientX, clientY }: PointerEvent): () => void {
      let dragging = false;
      let at = { x: clientX, y: clientY };
      let frame = 0;
      const abort = new AbortController();
      const { signal } = abort;

      function stop(): void {
        abort.abort();
        cancelAnimationFrame(frame);
      }

      function aim(): void {
        follow(at.x, at.y);
        const { carried } = carry.getState();
        const target = targetUnder(at.x, at.y);
        if (carried !== undefined) carry.setState({ carried: { ...carried, target } });
      }

      function scrollAtEdges(): void {
        const box = scroll.current?.getBoundingClientRect();
        if (box !== undefined) {
          const above = box.top + EDGE_PX - at.y;
          const below = at.y - (box.bottom - EDGE_PX);
          const by = above > 0 ? -above : Math.max(0, below);
          if (by !== 0) {
            scroll.current?.scrollBy(0, Math.sign(by) * Math.min(FASTEST_PX, Math.abs(by) / 3));
            aim();
          }
        }
        frame = requestAnimationFrame(scrollAtEdges);
      }

      window.addEventListener(
        'pointermove',
        (event) => {
          if (event.pointerId !== pointerId) return;
          at = { x: event.clientX, y: event.clientY };
          if (!dragging) {
            if (Math.hypot(at.x - clientX, at.y - clientY) < MIN_PX) return;
            dragging = true;
            pickUp(deviceid);
            frame = requestAnimationFrame(scrollAtEdges);
          }
          aim();
        },
        { signal },
      );
      window.addEventListener(
        'pointerup',
        (event) => {
          if (event.pointerId !== pointerId) return;
          stop();
          if (!dragging) return;
          drop();
          // Swallow the click that follows the drag.
          const swallow = (click: MouseEvent) => {
            click.preventDefault();
            click.stopPropagation();
          };
          window.addEventListener('click', swallow, { capture: true, once: true });
          setTimeout(() => window.removeEventListener('click', swallow, { capture: true }));
        },
        { signal },
      );
      const give = () => {
        stop();
        if (dragging) cancel();
      };
      window.addEventListener('pointercancel', give, { signal });
      window.addEventListener('blur', give, { signal });
      window.addEventListener(
        'keydown',
        (event) => {
          if (event.key !== 'Escape' || !dragging) return;
          event.preventDefault();
          event.stopPropagation();
          give();
        },
        { signal, capture: true },
      );
      return stop;
    }

    // Prevent the browser from dragging a link or picture itself.
    const refuse = (event: Event) => event.preventDefault();
    element.addEventListener('pointerdown', begin);
    element.addEventListener('dragstart', refuse);
    stops.push(
      () => element.removeEventListener('pointerdown', begin),
      () => element.removeEventListener('dragstart', refuse),
    );
    return () => {
      end();
      for (const stop of stops) stop();
    };
  }, [enabled, grid, scroll, carry, pickUp, drop, cancel, follow]);
}

/** Returns the cell or tray at a point in the window. */
export function targetUnder(x: number, y: number): DropTarget | undefined {
  for (const element of document.elementsFromPoint(x, y)) {
    const target = targetAt(element);
    if (target !== undefined) return target;
  }
  return undefined;
}

/** Returns the cell or tray that contains an element. */
export function targetAt(element: Element): DropTarget | undefined {
  const cell = element.closest<HTMLElement>('[data-shelf][data-column]');
  if (cell !== null) return { shelf: cell.dataset['shelf'] ?? '', column: Number(cell.dataset['column']) };
  return element.closest('[data-target="tray"]') === null ? undefined : 'tray';
}
