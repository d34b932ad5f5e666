import { useRight } from '../../station/context.ts';
import { AdminOnly, PageHeader } from '../../kit/page/PageHeader.tsx';
import list from '../../kit/list/ListPage.module.css';
import * as texts from '../../words/texts.ts';
import { ProgramsTab } from './ProgramsTab.tsx';

/** The Programs page, which lists programs and their API keys. */
export function ProgramsPage() {
  const isAdmin = useRight('manage_people');
  return (
    <div className={list.page}>
      <PageHeader title={texts.pages.programs.title} />
      <main className={list.content}>
        {isAdmin ? (
          <div className={list.inner}>
            <ProgramsTab />
          </div>
        ) : (
          <AdminOnly {...texts.users.adminOnly} />
        )}
      </main>
    </div>
  );
}
