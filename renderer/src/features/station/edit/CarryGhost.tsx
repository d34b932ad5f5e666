import { useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import styles from './CarryGhost.module.css';
import { useCarry } from './CarryContext.ts';
import type { NameOf } from './mapEdits.ts';
import type { Pointer } from './pointer.ts';

/** What the pointer carries, beside it: moved without drawing anything again. */
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
    <div ref={ghost} className={styles.ghost} aria-hidden="true">
      {nameOf(carried.deviceid)}
    </div>
  );
}
