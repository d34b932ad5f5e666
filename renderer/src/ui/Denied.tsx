import { ButtonLink } from './Button.tsx';
import { LockKeyhole } from 'lucide-react';
import { EmptyState } from './EmptyState.tsx';
import { PageHeader } from './PageHeader.tsx';
import page from './TablePage.module.css';
import { texts } from './texts.ts';

/** What somebody sees who opens the address of a page that is for admins. */
export function AdminOnly({ title, body }: { title: string; body: string }) {
  return (
    <EmptyState
      picture={<LockKeyhole size={32} strokeWidth={1.6} />}
      title={title}
      body={body}
      action={<ButtonLink words={texts.users.goToSettings} to="/settings" look="primary" />}
    />
  );
}

/** A page that this person may not use: what it is, and why. */
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
