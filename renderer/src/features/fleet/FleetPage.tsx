import { useLocation } from 'wouter';
import { useStationContext } from '../../station/context.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import { ButtonLink } from '../../kit/button/Button.tsx';
import { EmptyState, LoadFailure } from '../../kit/feedback/EmptyState.tsx';
import list from '../../kit/list/ListPage.module.css';
import { PageHeader } from '../../kit/page/PageHeader.tsx';
import * as texts from '../../words/texts.ts';
import { Network } from 'lucide-react';
import { FleetAlerts } from './FleetAlerts.tsx';
import { FleetStations } from './FleetStations.tsx';

const words = texts.fleet;
/** Polling interval in milliseconds. */
const READ_EVERY_MS = 2_000;

/** The Fleet page, which shows the state of all stations. */
export function FleetPage() {
  const { api } = useStationContext();
  const [path] = useLocation();
  const fleet = useStationQuery(['fleet'], () => api.getFleet(), { everyMs: READ_EVERY_MS });
  const { value } = fleet;
  if (value !== undefined && value.state !== 'off')
    return path.startsWith('/connections/stations/alerts') ? (
      <FleetAlerts fleet={value} />
    ) : (
      <FleetStations fleet={value} />
    );
  return (
    <div className={list.page}>
      <PageHeader title={words.title} />
      <main className={list.content}>
        {value !== undefined ? (
          <EmptyState
            picture={<Network size={36} strokeWidth={1.6} />}
            title={words.off.title}
            body={words.offBody}
            action={<ButtonLink words={words.off.settings} look="primary" to="/connections/mqtt" />}
          />
        ) : (
          <LoadFailure of={fleet} failed={words.failed} />
        )}
      </main>
    </div>
  );
}
