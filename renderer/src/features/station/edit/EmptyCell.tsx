import { useStore } from 'zustand';
import { texts } from '../../../ui/texts.ts';
import type { Metrics } from '../map/metrics.ts';
import { sameTarget } from './carry.ts';
import { useCarry } from './CarryContext.ts';
import styles from './EmptyCell.module.css';

type Props = { shelf: string; column: number; isFree: boolean; metrics: Metrics };

/** A place on a shelf while the map is edited: outlined where it is free, marked where what is carried would go. */
export function EmptyCell({ shelf, column, isFree, metrics }: Props) {
  const isTarget = useStore(useCarry(), ({ carried }) => sameTarget(carried?.target, { shelf, column }));
  return (
    <div
      className={styles.place}
      style={{ height: metrics.tile }}
      data-free={isFree || undefined}
      data-target={isTarget || undefined}
    >
      {isFree && (
        <>
          <span aria-hidden="true">{column + 1}</span>
          <span className="visuallyHidden">{texts.map.emptyCell}</span>
        </>
      )}
    </div>
  );
}
