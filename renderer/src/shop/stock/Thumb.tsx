import styles from './Thumb.module.css';

/** The thumbnail of an article in a list, or an empty box if the article has no picture. */
export function Thumb({ picture }: { picture: string | null }) {
  if (picture === null) return <span className={styles.thumb} aria-hidden="true" />;
  return <img className={styles.thumb} src={`${picture}&size=96`} alt="" width={48} height={48} loading="lazy" />;
}
