import type { ReactNode } from 'react';
import styles from './PageHeader.module.css';

type Props = {
  title: string;
  /** One quiet line beside the title. */
  note?: ReactNode;
  /** Search, choices and buttons, at the end. */
  children?: ReactNode;
};

/** The upper edge of a page: its name, how things stand, and what to do here. */
export function PageHeader({ title, note, children }: Props) {
  return (
    <header className={styles.header}>
      <h1 className={styles.title}>{title}</h1>
      <div className={styles.note}>{note}</div>
      {children}
    </header>
  );
}
