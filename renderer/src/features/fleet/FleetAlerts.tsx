import { BellOff } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { FleetAlert, FleetAnswer, FleetStation } from '#shared/api/fleet.ts';
import { Button } from '../../kit/button/Button.tsx';
import { EmptyState } from '../../kit/feedback/EmptyState.tsx';
import list from '../../kit/list/ListPage.module.css';
import { Moment } from '../../shop/Moment.tsx';
import { BackButton, PageHeader } from '../../kit/page/PageHeader.tsx';
import parts from '../../kit/parts.module.css';
import * as texts from '../../words/texts.ts';
import styles from './FleetAlerts.module.css';
import { StationLink } from './StationLink.tsx';

const words = texts.fleet;
/** Number of alerts that are shown initially and added by each press of the button. */
const PAGE = 100;
/**
 * Names of alert kinds. This is a map instead of an object, because another station may send any text, even
 * `constructor`.
 */
const KINDS: ReadonlyMap<string, string> = new Map(Object.entries(texts.alerts.kinds));

/** Lists the open alerts of all stations. */
export function FleetAlerts({ fleet: { alerts, stations } }: { fleet: FleetAnswer }) {
  const [most, setMost] = useState(PAGE);
  const byId = useMemo(() => new Map(stations.map((station) => [station.station, station])), [stations]);
  return (
    <div className={list.page}>
      <PageHeader title={words.alertsTitle} note={<span role="status">{words.alertsNote(alerts.length)}</span>}>
        <BackButton words={words.back} to="/connections/stations" />
      </PageHeader>
      <main className={list.content}>
        <div className={list.inner}>
          {alerts.length === 0 ? (
            <EmptyState picture={<BellOff size={32} strokeWidth={1.6} />} {...words.noAlerts} />
          ) : (
            <ul className={`${list.list} ${styles.list}`} aria-label={words.alertList}>
              {alerts.slice(0, most).map((alert) => (
                <AlertOf
                  key={`${alert.station} ${alert.kind} ${alert.about}`}
                  alert={alert}
                  station={byId.get(alert.station)}
                />
              ))}
            </ul>
          )}
          {alerts.length > most && (
            <Button onPress={() => setMost(most + PAGE)}>
              {texts.alerts.more(Math.min(PAGE, alerts.length - most))}
            </Button>
          )}
        </div>
      </main>
    </div>
  );
}

function AlertOf({ alert, station }: { alert: FleetAlert; station: FleetStation | undefined }) {
  const { kind, about, location, since, problem } = alert;
  const isAway = station !== undefined && station.availability !== 'online';
  return (
    <li className={`${list.row} ${styles.row}`}>
      <div className={parts.column1}>
        <p className={styles.name}>
          {KINDS.get(kind) ?? kind}
          <span aria-hidden="true"> · </span>
          {location === '' ? about : location}
        </p>
        {problem !== '' && <p className={parts.quiet}>{problem}</p>}
        {isAway && <p className={parts.care}>{words.lastState}</p>}
      </div>
      <p className={styles.station}>
        <StationLink url={station?.url ?? ''} own={station?.own ?? false} path="alerts" className={styles.link}>
          {alert.station}
        </StationLink>
        {since !== null && (
          <span className={parts.quiet}>
            <Moment at={since} words={words.since} />
          </span>
        )}
      </p>
    </li>
  );
}
