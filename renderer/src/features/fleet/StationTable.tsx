import { memo } from 'react';
import { useTimed } from '../../station/time.ts';
import { dotted } from '../../words/dotted.ts';
import { Cells, Grid, Heads, useTable } from '../../kit/list/Grid.tsx';
import { agoWords, untilWords } from '../../words/moments.ts';
import parts from '../../kit/parts.module.css';
import { StateTag, type Tone } from '../../kit/feedback/StateTag.tsx';
import * as texts from '../../words/texts.ts';
import type { FleetNeed, FleetRow } from './fleetRows.ts';
import { StationLink } from './StationLink.tsx';
import styles from './StationTable.module.css';

const words = texts.fleet;
const ROW_HEIGHT = 60;
const COLUMNS = ['need', 'station', 'lit', 'orders', 'picks', 'batteries', 'callbacks', 'heard'] as const;
const TONES: Readonly<Record<FleetNeed, Tone>> = {
  problem: 'halted',
  away: 'off',
  callbacks: 'care',
  attention: 'care',
  offline: 'care',
  batteries: 'care',
  well: 'done',
};

/** The table of stations. The last known values of unreachable stations are gray. `isLast` tells whether this applies to all values. */
export function StationTable({ rows, isLast }: { rows: readonly FleetRow[]; isLast: boolean }) {
  const table = useTable({ rows, by: 'key', rowHeight: ROW_HEIGHT, name: 'stations' });
  return (
    <div className={styles.frame} data-last={isLast || undefined}>
      <Grid
        table={table}
        label={words.table}
        look={styles}
        head={<Heads look={styles} columns={COLUMNS} words={words.columns} end={words.openEnd} />}
        renderLine={(row, isCurrent) => <StationLine row={row} tab={isCurrent ? 0 : -1} />}
        marks={({ station: { availability, version } }) => ({
          'data-away': availability !== 'online' || undefined,
          'data-unknown': version === '' || undefined,
        })}
        isExplained
      />
    </div>
  );
}

const StationLine = memo(function StationLine({ row: { need, station }, tab }: { row: FleetRow; tab: 0 | -1 }) {
  const { devices, orders, picks_last_hour: picks, failing_receivers: hosts, url, own, problem } = station;
  // If a station's state cannot be read, show only the problem.
  const isKnown = station.version !== '';
  const name = dotted(
    station.name === station.station ? '' : station.name,
    own ? words.own : '',
    station.version === '' ? '' : words.version(station.version),
  );
  const notes = problem ?? name;
  const known = {
    lit: (
      <Pair first={words.lit(devices.lit, devices.count)}>{devices.offline > 0 && words.offline(devices.offline)}</Pair>
    ),
    orders: (
      <Pair first={words.orders(orders.open, orders.in_progress)}>
        {orders.attention > 0 && words.attention(orders.attention)}
      </Pair>
    ),
    picks:
      picks === null ? (
        <span className={parts.plain}>
          <span aria-hidden="true">{words.unknown}</span>
          <span className="visuallyHidden">{words.notKnown}</span>
        </span>
      ) : (
        picks
      ),
    batteries: words.batteries(devices.batteries_low),
    callbacks: (
      <span className={styles.hosts} title={hosts.join(', ')}>
        {hosts.length === 0 ? words.delivered : words.notDelivered(hosts)}
      </span>
    ),
    heard: <Heard station={station} />,
  };
  const cells = {
    need: <StateTag tone={TONES[need]} words={words.needs[need]} />,
    station: (
      <StationLink url={url} own={own} className={styles.link} tabIndex={tab}>
        <span className={styles.name} title={station.station}>
          {station.station}
        </span>{' '}
        <span className={`${notes === problem ? parts.care : parts.quiet} ${styles.notes}`} title={notes}>
          {notes}
        </span>
      </StationLink>
    ),
    ...(isKnown ? known : { problem }),
    // Only other stations open in a new tab, so this station needs no icon for it.
    end: own ? null : (
      <StationLink url={url} own={false} className={styles.open} label={words.open(station.station)} tabIndex={tab} />
    ),
  };
  const marks = {
    batteries: { 'data-care': devices.batteries_low > 0 || undefined },
    callbacks: { 'data-care': hosts.length > 0 || undefined },
  };
  return <Cells look={styles} of={cells} marks={marks} />;
});

/** A figure with the problem below it, if any. */
function Pair({ first, children }: { first: string; children: string | false }) {
  return (
    <span className={styles.pair}>
      <span>{first}</span>
      {children !== false && <span className={parts.careStrong}>{children}</span>}
    </span>
  );
}

function Heard({ station: { availability, since, last_heard: heard } }: Pick<FleetRow, 'station'>) {
  const text = useTimed((now) => {
    if (availability === 'offline' && since !== null) return words.awaySince(untilWords(Date.parse(since), now));
    return heard === null ? words.notKnown : agoWords(Date.parse(heard), now);
  });
  return <span>{text}</span>;
}
