import { Wand2 } from 'lucide-react';
import { type CSSProperties, memo } from 'react';
import { useStore } from 'zustand';
import type { Rack } from '#shared/api/map.ts';
import { useRight } from '../../../station/context.ts';
import { Button } from '../../../kit/button/Button.tsx';
import parts from '../../../kit/parts.module.css';
import * as texts from '../../../words/texts.ts';
import { DeviceTile } from '../DeviceTile.tsx';
import { sameTarget } from '../edit/carry.ts';
import { useCarry } from '../edit/CarryGhost.tsx';
import { useRackEdits } from '../edit/RackEdits.tsx';
import type { Mode, TileActions } from './actions.ts';
import type { Line, MapRow } from './mapLayout.ts';
import styles from './MapRowView.module.css';
import { type Metrics, RACK_GAP, RACK_PADDING } from './metrics.ts';
import { RackHead } from './RackHead.tsx';

export type RowCommons = {
  metrics: Metrics;
  mode: Mode;
  selected: string | undefined;
  chosen: ReadonlySet<string>;
  failure: { about: string; words: string } | undefined;
  actions: TileActions;
  racks: readonly Rack[];
};

type Props = RowCommons & { row: MapRow };

/** One row of the map, which can contain shelves of several racks. */
export const MapRowView = memo(function MapRowView({ row, ...commons }: Props) {
  const { metrics } = commons;
  switch (row.kind) {
    case 'heads':
      return (
        <div className={styles.band} style={bandStyle(metrics)}>
          {row.heads.map((head) => (
            <RackHead key={head.rack.id} {...head} {...commons} />
          ))}
        </div>
      );
    case 'lines':
      return (
        <div className={styles.band} style={bandStyle(metrics)}>
          {row.lines.map((line, slot) =>
            line === undefined ? <div key={slot} /> : <LineView key={line.rack.id} line={line} {...commons} />,
          )}
        </div>
      );
    case 'trayHead':
      return <TrayHead count={row.count} rowIndex={row.rowIndex} mode={commons.mode} />;
    case 'tray':
      return (
        <div
          role="row"
          aria-rowindex={row.rowIndex}
          className={styles.line}
          style={{ ...cellStyle(metrics), ...(row.framed ? {} : { padding: '16px 0 0' }) }}
          data-frame={row.framed ? 'tray' : undefined}
          data-first={row.first || undefined}
          data-last={row.last || undefined}
          data-target={row.framed ? 'tray' : undefined}
        >
          {row.framed && <TrayDrop isEmpty={row.deviceids.length === 0} />}
          {row.deviceids.map((deviceid, index) => (
            <div
              key={deviceid}
              role="gridcell"
              aria-colindex={index + 1}
              aria-selected={commons.mode === 'choose' ? commons.chosen.has(deviceid) : undefined}
              className={styles.cell}
              style={{ gridColumn: index + (row.framed ? 2 : 1), height: metrics.slot }}
            >
              <CellTile deviceid={deviceid} {...commons} />
            </div>
          ))}
        </div>
      );
  }
});

function LineView({ line, ...commons }: RowCommons & { line: Line }) {
  const { rack, shelf, cells, named, first, last, rowIndex } = line;
  const { mode, chosen, metrics } = commons;
  const from = (cells[0]?.column ?? 0) + 1;
  const to = (cells.at(-1)?.column ?? 0) + 1;
  return (
    <div
      role="row"
      aria-rowindex={rowIndex}
      className={styles.line}
      style={cellStyle(metrics)}
      data-frame="rack"
      data-first={first || undefined}
      data-last={last || undefined}
      data-named={named || undefined}
    >
      <div
        role="rowheader"
        className={styles.shelf}
        aria-label={texts.map.rowLabel(rack.name, shelf.name)}
        title={shelf.name}
      >
        {named && (
          <span className={styles.shelfName} style={{ WebkitLineClamp: linesOf(metrics) }}>
            {shelf.name}
          </span>
        )}
        {(!named || from > 1) && <span className={styles.part}>{texts.map.columns(from, to)}</span>}
      </div>
      {cells.map(({ column, deviceid }, index) => (
        <div
          key={deviceid ?? column}
          role="gridcell"
          aria-colindex={column + 1}
          aria-selected={mode === 'choose' && deviceid !== undefined ? chosen.has(deviceid) : undefined}
          className={styles.cell}
          style={{ gridColumn: index + 2, height: metrics.slot }}
          data-shelf={mode === 'edit' ? shelf.id : undefined}
          data-column={mode === 'edit' ? column : undefined}
        >
          {mode === 'edit' && (
            <EmptyCell shelf={shelf.id} column={column} isFree={deviceid === undefined} metrics={metrics} />
          )}
          {deviceid !== undefined && <CellTile deviceid={deviceid} {...commons} />}
        </div>
      ))}
    </div>
  );
}

function CellTile({ deviceid, metrics, mode, selected, chosen, failure, actions }: RowCommons & { deviceid: string }) {
  return (
    <DeviceTile
      deviceid={deviceid}
      metrics={metrics}
      mode={mode}
      selected={deviceid === selected}
      chosen={chosen.has(deviceid)}
      failure={failure?.about === deviceid ? failure.words : undefined}
      actions={actions}
    />
  );
}

/** Returns how many lines of a shelf's name fit next to its tiles, above the column numbers. */
function linesOf({ slot }: Metrics): number {
  return Math.max(1, Math.floor(slot / LINE_HEIGHT) - 1);
}

const LINE_HEIGHT = 20;

function bandStyle({ abreast }: Metrics): CSSProperties {
  return { gridTemplateColumns: `repeat(${abreast}, minmax(0, 1fr))`, columnGap: RACK_GAP };
}

function cellStyle({ lineCells, cell, gap, label, abreast }: Metrics): CSSProperties {
  const columns =
    label === 0 ? `repeat(${lineCells}, ${cell}px)` : `${label}px repeat(${lineCells * abreast}, ${cell}px)`;
  return { gridTemplateColumns: columns, columnGap: gap, paddingInline: label === 0 ? 0 : RACK_PADDING };
}

type EmptyCellProps = { shelf: string; column: number; isFree: boolean; metrics: Metrics };

/** A place on a shelf while the map is edited: outlined if it is free, and highlighted if it is the drop target. */
function EmptyCell({ shelf, column, isFree, metrics }: EmptyCellProps) {
  const isTarget = useStore(useCarry(), ({ carried }) => sameTarget(carried?.target, { shelf, column }));
  return (
    <div
      className={styles.place}
      style={{ height: metrics.tile }}
      data-free={isFree || undefined}
      data-target={isTarget || undefined}
    >
      {isFree && (
        <>
          <span aria-hidden="true">{column + 1}</span>
          <span className="visuallyHidden">{texts.map.emptyCell}</span>
        </>
      )}
    </div>
  );
}

/** Highlights the tray of unplaced devices as a drop target, and explains it while it is empty. */
function TrayDrop({ isEmpty }: { isEmpty: boolean }) {
  const isTarget = useStore(useCarry(), ({ carried }) => carried?.target === 'tray');
  return (
    <>
      {isTarget && <div className={styles.target} />}
      {isEmpty && (
        <div role="gridcell" className={styles.empty}>
          {texts.map.trayEmpty}
        </div>
      )}
    </>
  );
}

/** The heading of the unplaced devices, with a button to arrange them by their labels. */
function TrayHead({ count, rowIndex, mode }: { count: number; rowIndex: number; mode: Mode }) {
  const isAdmin = useRight('edit_map');
  const { arrangeable, arrange } = useRackEdits();
  // Hide the button while the map is edited, because the edit bar has it, too.
  const offers = isAdmin && mode === 'look' && arrangeable > 0;
  return (
    <div
      role="row"
      aria-rowindex={rowIndex}
      className={styles.head}
      data-target="tray"
      data-offers={offers || undefined}
    >
      <div role="gridcell" className={styles.words}>
        <h2 className={styles.name}>{texts.map.tray}</h2>
        <p className={parts.cut}>
          {texts.map.rackDevices(count)}
          {mode === 'edit' ? '' : ` · ${offers ? texts.map.trayOffer : texts.map.trayHint}`}
        </p>
      </div>
      {offers && (
        <div role="gridcell">
          <Button icon={Wand2} onPress={arrange}>
            {texts.map.arrange(arrangeable)}
          </Button>
        </div>
      )}
    </div>
  );
}
