import { useState } from 'react';
import { deviceAddress, orderAddress } from '../../station/addresses.ts';
import { Button } from '../../kit/button/Button.tsx';
import { LoadFailure } from '../../kit/feedback/EmptyState.tsx';
import list from '../../kit/list/ListPage.module.css';
import { Marked } from '../../kit/Marked.tsx';
import parts from '../../kit/parts.module.css';
import * as texts from '../../words/texts.ts';
import type { FleetHit } from './fleetRows.ts';
import styles from './FoundList.module.css';
import { StationLink } from './StationLink.tsx';
import type { FleetFinding } from './useFleetFind.ts';

const words = texts.fleet;
/**
 * Number of results that are shown initially and added by each press of the button. A short text matches the names of
 * many stations.
 */
const PAGE = 50;

type Props = { hits: readonly FleetHit[]; finding: FleetFinding; own: string };

/** Lists search results from all stations, each with a link to its station. */
export function FoundList({ hits, finding, own }: Props) {
  const [most, setMost] = useState(PAGE);
  return (
    <div className={styles.found}>
      <LoadFailure of={finding} failed={words.findFailed} />
      <ul className={list.list} aria-label={words.found}>
        {hits.slice(0, most).map((hit) => (
          <Hit key={hit.key} hit={hit} own={hit.station === own} />
        ))}
      </ul>
      {hits.length > most && (
        <Button onPress={() => setMost(most + PAGE)}>{texts.alerts.more(Math.min(PAGE, hits.length - most))}</Button>
      )}
    </div>
  );
}

function Hit({ hit, own }: { hit: FleetHit; own: boolean }) {
  const { station, url, online, matched, text, order_number: order, order_state: state, deviceid, location } = hit;
  const path = order !== undefined ? orderAddress(order) : deviceid === undefined ? '/' : deviceAddress(deviceid);
  const name = order ?? (location === undefined || location === '' ? deviceid : location);
  const isText = text === (name ?? station);
  return (
    <li className={`${list.row} ${styles.hit}`}>
      <div className={parts.column1}>
        <p className={styles.text}>
          <StationLink url={url} own={own} path={path.slice(1)} className={styles.link}>
            <Marked text={isText || name === undefined ? text : name} />
          </StationLink>
        </p>
        <p className={parts.quiet}>
          {words.matches[matched]}
          {!isText && name !== undefined && (
            <>
              {': '}
              <Marked text={text} />
            </>
          )}
          {state !== undefined && ` · ${texts.orders.states[state]}`}
        </p>
      </div>
      <p className={styles.station}>
        {matched !== 'station' && <span className={parts.medium}>{station}</span>}
        {!online && <span className={parts.care}>{words.lastState}</span>}
      </p>
    </li>
  );
}
