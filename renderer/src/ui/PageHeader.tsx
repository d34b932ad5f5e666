import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { Button } from './Button.tsx';
import parts from './parts.module.css';
import styles from './PageHeader.module.css';

type Props = {
  title: string;
  /** One quiet line beside the title. */
  note?: ReactNode;
  /** Search, choices and buttons, at the end. */
  children?: ReactNode;
};

/** The header of a page: title, state and actions. */
export function PageHeader({ title, note, children }: Props) {
  return (
    <header className={styles.header}>
      <h1 className={styles.title}>{title}</h1>
      <div className={`${parts.cut} ${styles.note}`}>{note}</div>
      {children}
    </header>
  );
}

/** From a view of a page to the page itself. On a phone it is an arrow before the title. */
export function BackButton({ words, to }: { words: string; to: string }) {
  const [, navigate] = useLocation();
  return (
    <span className={styles.back} data-back>
      <Button icon={ArrowLeft} onPress={() => navigate(to)}>
        <span className={styles.words}>{words}</span>
      </Button>
    </span>
  );
}
