import type { PointerEvent } from 'react';
import parts from '../../kit/parts.module.css';
import styles from './Chart.module.css';

/** The bars, or the points of a line. Null means that there is no value at this time. */
export type Series = {
  kind: 'bars' | 'line' | 'dots';
  tone: 'plain' | 'quiet' | 'care';
  values: readonly (number | null)[];
};

type Props = {
  /** Describes the chart for screen readers. */
  label: string;
  series: readonly Series[];
  /** The label of the largest value. */
  top: string;
  /** The labels of the first and the last time. */
  from: string;
  to: string;
  /** Index of the column under the pointer, in this chart or in a different one for the same period. */
  pointed: number | undefined;
  onPoint(place: number | undefined): void;
  onChoose(place: number): void;
};

/** Width of the drawing in its own units. The drawing is stretched to its box, but its strokes keep their width. */
const WIDTH = 600;
const HEIGHT = 100;
/** Fraction of the column's width that a bar fills. */
const BAR = 0.72;
/** Minimum height of a bar whose value is above 0, so that it is visible. */
const MIN = 2;

/** A chart over time with one column per value. */
export function Chart({ label, series, top, from, to, pointed, onPoint, onChoose }: Props) {
  const places = Math.max(1, ...series.map(({ values }) => values.length));
  const most = Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const step = WIDTH / places;
  const heightOf = (value: number) => (value <= 0 || most === 0 ? 0 : Math.max(MIN, (value / most) * HEIGHT));
  const placeOf = ({ clientX, currentTarget }: PointerEvent<SVGSVGElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return width === 0 ? 0 : Math.min(places - 1, Math.max(0, Math.floor(((clientX - left) / width) * places)));
  };
  return (
    <div className={`${parts.small} ${styles.chart}`}>
      <span className={styles.top} aria-hidden="true">
        {top}
      </span>
      <svg
        className={styles.drawing}
        role="img"
        aria-label={label}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        onPointerMove={(event) => onPoint(placeOf(event))}
        onPointerLeave={() => onPoint(undefined)}
        onClick={() => pointed !== undefined && onChoose(pointed)}
      >
        <line className={styles.edge} x1={0} x2={WIDTH} y1={0.5} y2={0.5} />
        {pointed !== undefined && (
          <rect className={styles.pointed} x={pointed * step} y={0} width={step} height={HEIGHT} />
        )}
        {series.map(({ kind, tone, values }) => {
          if (kind === 'bars') {
            return values.map((value, place) => {
              const height = heightOf(value ?? 0);
              return height === 0 ? null : (
                <rect
                  // Nothing else identifies a bar, so use the index as key.
                  key={`${tone} ${place}`}
                  className={styles.bar}
                  data-tone={tone}
                  x={(place + (1 - BAR) / 2) * step}
                  y={HEIGHT - height}
                  width={step * BAR}
                  height={height}
                />
              );
            });
          }
          const points = values.map((value, place) =>
            value === null ? undefined : { x: (place + 0.5) * step, y: HEIGHT - heightOf(value) },
          );
          return (
            <g key={`${kind} ${tone}`} data-tone={tone}>
              {kind === 'line' && <path className={styles.line} d={pathOf(points)} />}
              <path className={styles.dots} d={dotsOf(points)} />
            </g>
          );
        })}
        <line className={styles.floor} x1={0} x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} />
      </svg>
      <div className={styles.ends} aria-hidden="true">
        <span>{from}</span>
        <span>{to}</span>
      </div>
    </div>
  );
}

type Point = { x: number; y: number } | undefined;

/** Returns an SVG path that connects adjacent points. Missing points leave gaps. */
function pathOf(points: readonly Point[]): string {
  return points
    .map((point, place) =>
      point === undefined ? '' : `${points[place - 1] === undefined ? 'M' : 'L'}${point.x} ${point.y}`,
    )
    .join('');
}

function dotsOf(points: readonly Point[]): string {
  return points.map((point) => (point === undefined ? '' : `M${point.x} ${point.y}h0`)).join('');
}
