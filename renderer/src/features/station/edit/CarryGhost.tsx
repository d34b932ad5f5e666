import { createContext, use, useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { type CarryStore, createCarryStore } from './carry.ts';
import parts from '../../../kit/parts.module.css';
import styles from './CarryGhost.module.css';
import type { NameOf } from './mapEdits.ts';

/** The default store always stays empty. It is used while the map is not edited. */
const Context = createContext<CarryStore>(createCarryStore());

export const CarryProvider = Context.Provider;

export function useCarry(): CarryStore {
  return use(Context);
}

/** Draws the name of the picked-up device next to the pointer, and moves it without rerendering. */
export function CarryGhost({ pointer, nameOf }: { pointer: Pointer; nameOf: NameOf }) {
  const carried = useStore(useCarry(), (state) => state.carried);
  const ghost = useRef<HTMLDivElement>(null);
  const isShown = carried?.by === 'pointer';

  useEffect(() => {
    if (!isShown) return undefined;
    return pointer.watch((x, y) => ghost.current?.style.setProperty('translate', `${x + 14}px ${y + 10}px`));
  }, [isShown, pointer]);

  if (!isShown) return null;
  return (
    <div ref={ghost} className={`${parts.clip} ${styles.ghost}`} aria-hidden="true">
      {nameOf(carried.deviceid)}
    </div>
  );
}

/** The position of the pointer in the window, published without rerendering. */
type Pointer = {
  moveTo(x: number, y: number): void;
  /** Calls `listener` immediately and at each move. Returns a function that stops the calls. */
  watch(listener: (x: number, y: number) => void): () => void;
};

export function createPointer(): Pointer {
  const listeners = new Set<(x: number, y: number) => void>();
  let at = { x: 0, y: 0 };
  return {
    moveTo(x, y) {
      at = { x, y };
      for (const listener of listeners) listener(x, y);
    },
    watch(listener) {
      listeners.add(listener);
      listener(at.x, at.y);
      return () => listeners.delete(listener);
    },
  };
}
