import styles from './Meter.module.css';

type Props = {
  done: number;
  all: number;
  /** Of `done`: what is done, but with less than was asked. */
  short?: number;
};

/** How much of a whole is done. A picture only; words go beside it. */
export function Meter({ done, all, short = 0 }: Props) {
  const percent = (part: number) => `${all === 0 ? 0 : Math.min(100, (part / all) * 100)}%`;
  return (
    <span className={styles.track} aria-hidden="true">
      <span className={styles.done} style={{ width: percent(done - short) }} />
      <span className={styles.short} style={{ width: percent(short) }} />
    </span>
  );
}
