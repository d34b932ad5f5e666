import { useRight } from '../../station/context.ts';
import { AdminOnly, PageHeader } from '../../kit/page/PageHeader.tsx';
import list from '../../kit/list/ListPage.module.css';
import { AddressedTabs } from '../../kit/menu/Tabs.tsx';
import * as texts from '../../words/texts.ts';
import { ActivityTab } from './ActivityTab.tsx';
import { KiosksTab } from './KiosksTab.tsx';
import { PeopleTab } from './PeopleTab.tsx';
import { ScreensTab } from './ScreensTab.tsx';

const words = texts.users;

const TABS = [
  { id: 'people', path: '/settings/people', word: words.tabs.people, content: <PeopleTab /> },
  { id: 'kiosks', path: '/settings/kiosks', word: words.tabs.kiosks, content: <KiosksTab /> },
  { id: 'screens', path: '/settings/screens', word: words.tabs.screens, content: <ScreensTab /> },
  { id: 'activity', path: '/settings/activity', word: words.tabs.activity, content: <ActivityTab /> },
] as const;

/** The People page: users, kiosks, screens and the audit log. */
export function PeoplePage() {
  const isAdmin = useRight('manage_people');
  return (
    <div className={list.page}>
      <PageHeader title={words.title} note={isAdmin ? words.note : undefined} />
      <main className={list.content}>
        {isAdmin ? (
          <div className={list.inner}>
            <AddressedTabs label={words.tabsLabel} tabs={TABS} />
          </div>
        ) : (
          <AdminOnly {...words.adminOnly} />
        )}
      </main>
    </div>
  );
}
