import { RefreshCw, TriangleAlert } from 'lucide-react';
import { useStationState } from '../../station/context.ts';
import { Button } from '../../kit/button/Button.tsx';
import parts from '../../kit/parts.module.css';
import styles from './ConnectionBar.module.css';
import * as texts from '../../words/texts.ts';
import { timeText } from '../../words/formats.ts';

/** Shows when the connection was lost, or that the page is outdated. Renders nothing otherwise. */
export function ConnectionBar() {
  const outdated = useStationState((state) => state.outdated);
  const connection = useStationState((state) => state.connection);
  const hasStation = useStationState((state) => state.station !== null);
  return (
    <div role="alert">
      {connection.kind === 'lost' && (
        <p className={`${parts.rowMiddle} ${styles.bar}`}>
          <TriangleAlert size={18} aria-hidden="true" />
          <strong>{texts.connection.lost}</strong>
          <span>{hasStation ? texts.connection.stale : texts.connection.never}</span>
          {hasStation && <span className={styles.since}>{texts.connection.asOf(timeOf(connection.sinceAt))}</span>}
        </p>
      )}
      {connection.kind !== 'lost' && outdated && (
        <div className={`${parts.rowMiddle} ${styles.bar}`} data-calm="true">
          <RefreshCw size={18} aria-hidden="true" />
          <strong>{texts.connection.updated}</strong>
          <span>{texts.connection.outdated}</span>
          <span className={styles.reload}>
            <Button onPress={() => window.location.reload()}>{texts.connection.reload}</Button>
          </span>
        </div>
      )}
    </div>
  );
}

function timeOf(at: number): string {
  return timeText('seconds', at);
}
