import styles from './Count.module.css';

/** A word of a filter, and how many it leaves. */
export function Count({ words, count }: { words: string; count: number }) {
  return (
    <>
      {words} <span className={styles.count}>{count.toLocaleString('en')}</span>
    </>
  );
}
