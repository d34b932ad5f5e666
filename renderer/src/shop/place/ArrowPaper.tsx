import type { Arrow } from '#shared/screen/content.ts';
import { arrowSpans } from '#shared/screen/arrow.ts';
import styles from './ArrowPaper.module.css';

const SIDE = 28;

/** The arrow of a device on e-paper, pixel by pixel, or blank paper. The picture is decorative. */
export function ArrowPaper({ arrow }: { arrow: Arrow | null }) {
  const spans = arrow === null ? [] : arrowSpans(arrow, SIDE, SIDE);
  const path = spans.map(([y, start, end]) => `M${start} ${y}h${end - start}v1H${start}z`).join('');
  return (
    <svg className={styles.paper} viewBox={`-10 -4 ${SIDE + 20} ${SIDE + 8}`} aria-hidden="true">
      <path className={styles.ink} d={path} />
    </svg>
  );
}
