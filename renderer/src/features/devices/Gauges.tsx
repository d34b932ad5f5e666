import styles from './Gauges.module.css';

/** How full a battery is. A picture only: the figure stands beside it. */
export function Gauge({ percent }: { percent: number }) {
  return (
    <span className={styles.battery} aria-hidden="true">
      <span className={styles.charge} style={{ width: `${percent}%` }} />
    </span>
  );
}

/** From which strength on, in dBm, a bar is full. */
const BARS = [-100, -85, -75, -65] as const;

/** How strong a device is heard, in four bars. A picture only: the figure stands beside it. */
export function SignalBars({ dbm }: { dbm: number }) {
  return (
    <svg className={styles.bars} viewBox="0 0 18 14" aria-hidden="true">
      {BARS.map((from, index) => (
        <rect
          key={from}
          x={index * 5}
          y={9 - index * 3}
          width={3}
          height={5 + index * 3}
          rx={0.5}
          data-full={dbm > from || undefined}
        />
      ))}
    </svg>
  );
}
