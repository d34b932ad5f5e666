import { BookOpen } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useRight } from '../../station/context.ts';
import { AdminOnly } from '../../ui/AdminOnly.tsx';
import button from '../../ui/Button.module.css';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { texts } from '../../ui/texts.ts';
import styles from './DeveloperPage.module.css';
import { HowToCall } from './HowToCall.tsx';
import { RequestList, type Wanted } from './RequestList.tsx';
import { RequestView } from './RequestView.tsx';

const words = texts.developer;
const CALL = '/developer/call';

/** How do I call it, and what did my requests do? */
export function DeveloperPage() {
  const isAdmin = useRight('diagnose');
  return (
    <div className={styles.page}>
      <PageHeader title={words.title} note={isAdmin ? words.note : undefined}>
        {isAdmin && (
          <Link href={CALL} className={button.button ?? ''} data-look="plain">
            <BookOpen size={16} strokeWidth={1.8} aria-hidden="true" />
            {words.call.title}
          </Link>
        )}
      </PageHeader>
      <main className={styles.content}>{isAdmin ? <Log /> : <AdminOnly {...words.adminOnly} />}</main>
    </div>
  );
}

/** The requests on one side, and what is open on the other; without room for both, one of them. */
function Log() {
  const [path] = useLocation();
  const [wanted, setWanted] = useState<Wanted>({ state: 'all', source: 'programs', path: '' });
  const [, open = ''] = /^\/developer\/([^/]+)/.exec(path) ?? [];
  const isCall = open === '' || path.startsWith(CALL);
  return (
    <div className={styles.columns} data-open={open !== '' || undefined}>
      <div className={styles.list}>
        <RequestList wanted={wanted} onWanted={setWanted} open={open} />
      </div>
      <div className={styles.pane}>
        {open !== '' && (
          <Link href="/developer" className={`${styles.back} ${button.button}`} data-look="plain">
            {words.open.back}
          </Link>
        )}
        {isCall ? <HowToCall /> : <RequestView key={open} id={open} />}
      </div>
    </div>
  );
}
