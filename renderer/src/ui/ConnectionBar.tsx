import { TriangleAlert } from 'lucide-react';
import { useStationState } from '../station/context.ts';
import styles from './ConnectionBar.module.css';
import { texts } from './texts.ts';

/** Says at once that the connection is lost, and from when on what is shown is old. Nothing where all is well. */
export function ConnectionBar() {
  const connection = useStationState((state) => state.connection);
  const hasStation = useStationState((state) => state.station !== null);
  return (
    <div role="alert" className={styles.place}>
      {connection.kind === 'lost' && (
        <p className={styles.bar}>
          <TriangleAlert size={18} aria-hidden="true" />
          <strong>{texts.connection.lost}</strong>
          <span>{hasStation ? texts.connection.stale : texts.connection.never}</span>
          {hasStation && <span className={styles.since}>{texts.connection.asOf(timeOf(connection.sinceAt))}</span>}
        </p>
      )}
    </div>
  );
}

function timeOf(at: number): string {
  return new Date(at).toLocaleTimeString('en-GB');
}
