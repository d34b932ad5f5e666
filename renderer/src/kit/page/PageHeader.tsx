import { ArrowLeft, LockKeyhole } from 'lucide-react';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { Button, ButtonLink } from '../button/Button.tsx';
import parts from '../parts.module.css';
import styles from './PageHeader.module.css';
import { EmptyState } from '../feedback/EmptyState.tsx';
import page from './TablePage.module.css';
import * as texts from '../../words/texts.ts';

type Props = {
  title: string;
  /** A short status line next to the title. */
  note?: ReactNode;
  /** Search field, choices and buttons at the end of the header. */
  children?: ReactNode;
};

/** The header of a page, with title, state and actions. */
export function PageHeader({ title, note, children }: Props) {
  return (
    <header className={styles.header}>
      <h1 className={styles.title}>{title}</h1>
      <div className={`${parts.cut} ${styles.note}`}>{note}</div>
      {children}
    </header>
  );
}

/** A link from a view back to its page. On a phone it is an arrow before the title. */
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

/** Shown to users who open the address of a page for admins. */
export function AdminOnly({ title, body }: { title: string; body: string }) {
  return (
    <EmptyState
      picture={<LockKeyhole size={32} strokeWidth={1.6} />}
      title={title}
      body={body}
      action={<ButtonLink words={texts.frame.toSettings} to="/settings" look="primary" />}
    />
  );
}

/** Shown instead of a page that this person is not allowed to use, with the reason. */
export function Denied({ title, denied }: { title: string; denied: string }) {
  return (
    <div className={page.page}>
      <PageHeader title={title} />
      <main className={page.empty}>
        <EmptyState picture={<LockKeyhole size={32} strokeWidth={1.6} />} title={texts.frame.denied} body={denied} />
      </main>
    </div>
  );
}
