import { useLocation } from 'wouter';
import { countUnseen, openAlerts } from '../../station/alerts.ts';
import { useStationState } from '../../station/context.ts';
import list from '../../ui/ListPage.module.css';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import { texts } from '../../ui/texts.ts';
import { EndedTab } from './EndedTab.tsx';
import { OpenTab } from './OpenTab.tsx';

const words = texts.alerts;

const TABS = [
  { id: 'open', path: '/alerts', word: words.tabs.open, content: <OpenTab /> },
  { id: 'ended', path: '/alerts/ended', word: words.tabs.ended, content: <EndedTab /> },
] as const;

/** What do I have to look after? */
export function AlertsPage() {
  const [path, navigate] = useLocation();
  const open = useStationState((state) => openAlerts(state).length);
  const unseen = useStationState(countUnseen);
  const shown = TABS.findLast((tab) => path.startsWith(tab.path));
  return (
    <div className={list.page}>
      <PageHeader title={words.title} note={<span role="status">{words.note(open, unseen)}</span>} />
      <main className={list.content}>
        <div className={list.inner}>
          <Tabs
            label={words.tabsLabel}
            tabs={TABS}
            selected={shown?.id ?? 'open'}
            onSelect={(id) => {
              const next = TABS.find((tab) => tab.id === id);
              if (next !== undefined && next !== shown) navigate(next.path);
            }}
          />
        </div>
      </main>
    </div>
  );
}
