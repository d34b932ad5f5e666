import { FileSpreadsheet, PartyPopper, Printer } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { StationMap } from '#shared/api/map.ts';
import { useStationState } from '../../station/context.ts';
import { formatAgo, useTimed } from '../../station/time.ts';
import { Button } from '../../kit/button/Button.tsx';
import { EmptyState } from '../../kit/feedback/EmptyState.tsx';
import { SwitchField } from '../../kit/field/fields.tsx';
import { exactWords } from '../../words/moments.ts';
import { BackButton, PageHeader } from '../../kit/page/PageHeader.tsx';
import { PrintChoice } from '../../kit/print/PrintChoice.tsx';
import { Printed } from '../../kit/print/Printed.tsx';
import print from '../../kit/print/PrintPage.module.css';
import * as texts from '../../words/texts.ts';
import styles from './BatteriesView.module.css';
import { savePlaces } from './placeColumns.ts';
import { hasDevice, type PlaceRow } from './placeRows.ts';
import { usePlaceRows } from './usePlaceRows.ts';

/** Limit in percent that is used while alerts about low batteries are off. */
const USUAL = 15;
/** More limits in percent to choose from, which include batteries that will be low soon. */
const LATER = [30, 50];
const NO_MAP = { racks: [], places: [], zones: [] };
const MINUTE_MS = 60_000;
const words = texts.places.shopping;

/** Lists the batteries to change, in walking order, for the screen, for paper or as a file. */
export function BatteriesView() {
  const all = usePlaceRows({ areWaitingShown: false });
  const rows = useMemo(() => all.filter(hasDevice), [all]);
  const map = useStationState(({ station }) => station?.map ?? NO_MAP);
  const low = useStationState(({ station }) => station?.limits.alert_battery_percent ?? 0) || USUAL;
  const [chosen, setChosen] = useState<number>();
  const limit = chosen ?? low;
  const [withSilent, setWithSilent] = useState(false);
  const made = useTimed((now) => exactWords(Math.floor(now / MINUTE_MS) * MINUTE_MS));
  const wanted = useMemo(() => rows.filter((row) => isToChange(row, limit, withSilent)), [rows, limit, withSilent]);
  const rounds = useMemo(() => sortByWalkingOrder(wanted, map), [wanted, map]);
  const silent = useMemo(
    () => rows.filter((row) => !isToChange(row, limit, false) && isToChange(row, limit, true)).length,
    [rows, limit],
  );
  const stops = rounds.flatMap((round) => round.stops);

  return (
    <div className={print.page}>
      <PageHeader title={words.title} note={words.note(wanted.length)}>
        <BackButton words={words.back} to="/places" />
        <Button
          icon={FileSpreadsheet}
          words={words.csv}
          isDisabled={stops.length === 0}
          onPress={() =>
            savePlaces(
              'batteries.csv',
              stops.map(({ row }) => row),
            )
          }
        />
        <Button icon={Printer} look="primary" isDisabled={stops.length === 0} onPress={() => window.print()}>
          {words.print}
        </Button>
      </PageHeader>
      <main className={print.content}>
        <div className={print.choices}>
          <PrintChoice
            label={words.upTo}
            value={String(limit)}
            onChange={(id) => setChosen(Number(id))}
            choices={[...new Set([low, ...LATER, limit])]
              .toSorted((a, b) => a - b)
              .map((each) => ({ id: String(each), words: words.percent(each) }))}
          />
          <SwitchField label={words.silentToo(silent)} value={withSilent} onChange={setWithSilent} />
        </div>
        {stops.length === 0 ? (
          <EmptyState picture={<PartyPopper size={36} />} title={words.none} body={words.noneBody(limit)} />
        ) : (
          <Printed className={styles.paper}>
            <header className={styles.head}>
              <h2>{words.heading(stops.length)}</h2>
              <p>{words.made(made)}</p>
            </header>
            {rounds.map((round) => (
              <RoundTable key={round.key} round={round} />
            ))}
          </Printed>
        )}
      </main>
    </div>
  );
}

const COLUMNS = ['done', 'place', 'where', 'device', 'battery', 'seen'] as const;

function RoundTable({ round: { title, stops } }: { round: Round }) {
  return (
    <table className={styles.round}>
      <caption>{title}</caption>
      <thead>
        <tr>
          {COLUMNS.map((column) => (
            <th key={column} scope="col" className={styles[column]}>
              {words.columns[column]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {stops.map((stop) => (
          <StopRow key={stop.row.key} stop={stop} />
        ))}
      </tbody>
    </table>
  );
}

function StopRow({ stop: { row, where } }: { stop: Stop }) {
  const { device, name, aliases, key } = row;
  const seen = useTimed((now) => {
    if (device.last_seen === null) return texts.places.never;
    return device.online ? texts.places.now : texts.places.ago(formatAgo(now - Date.parse(device.last_seen)));
  });
  const power = [
    ...(device.battery === null ? [] : [texts.panel.battery(device.battery)]),
    ...(device.voltage === null ? [] : [texts.panel.volts(device.voltage)]),
  ];
  return (
    <tr>
      <td className={styles.done}>
        {/* A box to tick on the printed list. */}
        <span className={styles.tick} />
      </td>
      <th scope="row" className={styles.place}>
        {name === key ? texts.places.unknown : name}
        {aliases.length > 0 && <small>{aliases.map((alias) => alias.name).join(', ')}</small>}
      </th>
      <td className={styles.where}>{where}</td>
      <td className={styles.device}>{key}</td>
      <td className={styles.battery}>{power.length === 0 ? texts.places.notKnown : power.join(' · ')}</td>
      <td className={styles.seen}>{seen}</td>
    </tr>
  );
}

/** A device whose battery needs changing, and where it is. */
type Stop = { row: PlaceRow; where: string };

/** The stops at one rack, or all stops that are not on the map. */
type Round = { key: string; title: string; stops: readonly Stop[] };

/** Whether the battery is at or below this percentage. With `withSilent`, offline devices count as well. */
function isToChange({ device }: PlaceRow, upToPercent: number, withSilent: boolean): boolean {
  return (device.battery !== null && device.battery <= upToPercent) || (withSilent && !device.online);
}

/**
 * Groups devices in walking order: by rack, then by column, then from the top shelf to the bottom shelf. Devices that
 * are not on the map come last, sorted by name.
 */
function sortByWalkingOrder(rows: readonly PlaceRow[], { racks, places }: StationMap): readonly Round[] {
  const byId = new Map(rows.map((row) => [row.key, row]));
  const byShelf = Map.groupBy(places, ({ shelf }) => shelf);
  const onMap = new Set<string>();
  const rounds = racks.flatMap((rack): Round[] => {
    const stops = rack.shelves.flatMap((shelf) => {
      return (byShelf.get(shelf.id) ?? []).flatMap(({ deviceid, column }) => {
        const row = byId.get(deviceid);
        return row === undefined ? [] : [{ row, column, where: texts.places.shopping.where(shelf.name, column + 1) }];
      });
    });
    for (const { row } of stops) onMap.add(row.key);
    if (stops.length === 0) return [];
    // The sort is stable, so shelves keep their order within a column.
    const walked = stops.toSorted((a, b) => a.column - b.column);
    return [{ key: rack.id, title: texts.map.rackTitle(rack.name), stops: walked }];
  });
  const others = rows.filter(({ key }) => !onMap.has(key)).toSorted((a, b) => a.rank - b.rank);
  if (others.length === 0) return rounds;
  return [
    ...rounds,
    { key: '', title: texts.places.shopping.offMap, stops: others.map((row) => ({ row, where: '' })) },
  ];
}
