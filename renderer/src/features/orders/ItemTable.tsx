import { CircleHelp, Lightbulb, PackageMinus, Pencil, RotateCcw, ScanBarcode, SquarePen, Trash2 } from 'lucide-react';
import { memo } from 'react';
import type { Item, OrderPicker } from '#shared/api/order.ts';
import { useDevice, useStationContext } from '../../station/context.ts';
import { useTimed } from '../../station/time.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import { Button } from '../../kit/button/Button.tsx';
import { Cells, Grid, Heads, useTable } from '../../kit/list/Grid.tsx';
import { MoreMenu, menuOf } from '../../kit/menu/Menu.tsx';
import { StateTag } from '../../kit/feedback/StateTag.tsx';
import * as texts from '../../words/texts.ts';
import parts from '../../kit/parts.module.css';
import { LitLink, litWords } from '../../shop/work/LitLink.tsx';
import type { Why } from '../../shop/work/WorkSummary.tsx';
import { itemName } from '../../shop/order/itemName.ts';
import { ITEM_TONES, itemNotes, type ItemTableRow } from './itemRows.ts';
import styles from './ItemTable.module.css';
import { Pickers } from './OrderFacts.tsx';

const ROW_HEIGHT = 60;
/** Maximum number of places to show per item, so that they fit in a row. */
const MAX_EXPECTED = 3;
const COLUMNS = ['item', 'place', 'state', 'quantity'] as const;
const words = texts.orders.one;

export type ItemActions = {
  why(why: Why): void;
  pickers: readonly OrderPicker[];
  /** Opens the dialog for a correction. Actions are undefined if this person lacks the right. */
  correct: ((item: Item) => void) | undefined;
  /** Opens the dialog for a change of the line. Undefined also if the order has ended. */
  change: ((item: Item) => void) | undefined;
  /** Removes a line without picked pieces. Undefined also for the only line. */
  remove: ((item: Item) => void) | undefined;
  short: ((item: Item) => void) | undefined;
  reopen: ((item: Item) => void) | undefined;
  /** Lights an item again whose light went out. */
  light: ((item: Item) => void) | undefined;
  /** Completes a picked item without a scan of its article. */
  giveUpScan: ((item: Item) => void) | undefined;
};

type Props = { label: string; rows: readonly ItemTableRow[]; actions: ItemActions };

/** The items of an order, grouped by shipment. Draws only visible rows. */
export function ItemTable({ label, rows, actions }: Props) {
  const table = useTable({ rows, by: 'key', rowHeight: ROW_HEIGHT, name: label });
  return (
    <div className={styles.frame}>
      <Grid
        table={table}
        label={label}
        look={styles}
        head={<Heads look={styles} columns={COLUMNS} words={words.columns} end={texts.work.moreHere} />}
        renderLine={(row, isCurrent) =>
          row.kind === 'shipment' ? (
            <ShipmentCell row={row} />
          ) : (
            <ItemCells row={row} isCurrent={isCurrent} actions={actions} />
          )
        }
        marks={({ kind }) => ({ 'data-kind': kind })}
      />
    </div>
  );
}

function ShipmentCell({ row: { shipment, done } }: { row: Extract<ItemTableRow, { kind: 'shipment' }> }) {
  return (
    <div role="gridcell" className={styles.shipment}>
      <span className={`${parts.strong} ${styles.strong}`}>{words.shipment(shipment.shipment_number)}</span>
      <span className={styles.quiet}>
        {texts.orders.states[shipment.state]} · {words.shipmentDone(done, shipment.items.length)}
      </span>
    </div>
  );
}

type CellsProps = { row: Extract<ItemTableRow, { kind: 'item' }>; isCurrent: boolean; actions: ItemActions };

const ItemCells = memo(function ItemCells({ row: { item, isUnassigned }, isCurrent, actions }: CellsProps) {
  const { state, quantity_fulfilled: fulfilled, ordered_quantity: ordered, command_id: commandId, deviceid } = item;
  const name = itemName(item);
  const notes = itemNotes(item);
  const device = useDevice(deviceid ?? '');
  const lit = useTimed((now) => litWords(device, commandId, now));
  const tab = isCurrent ? 0 : -1;
  const said = item.timed_out
    ? words.timedOut
    : item.awaits_scan
      ? words.awaitsScan
      : state === 'active' && lit !== ''
        ? lit
        : texts.orders.itemStates[state];
  const { change, correct, short, remove, reopen, light, giveUpScan } = actions;
  const isOver = state === 'done' || state === 'short';
  const picker = actions.pickers.filter((each) => each.name === item.picker);
  const isLit = deviceid !== null && commandId !== null && state === 'active';
  const menu = menuOf([
    isLit && {
      id: 'why',
      words: texts.work.why,
      icon: CircleHelp,
      run: () => actions.why({ name, deviceid, commandId }),
    },
    light !== undefined &&
      canLight(item) && { id: 'light', words: words.menuLight, icon: Lightbulb, run: () => light(item) },
    short !== undefined &&
      !isOver && { id: 'short', words: words.menuShort, icon: PackageMinus, run: () => short(item) },
    reopen !== undefined &&
      isOver &&
      ordered > 0 && { id: 'reopen', words: words.menuReopen, icon: RotateCcw, run: () => reopen(item) },
    giveUpScan !== undefined &&
      item.awaits_scan && { id: 'verify', words: words.menuVerify, icon: ScanBarcode, run: () => giveUpScan(item) },
    { id: 'correct', words: words.menuCorrect, icon: Pencil, needs: 'edit_orders', run: () => correct?.(item) },
    change !== undefined && { id: 'change', words: words.menuChange, icon: SquarePen, run: () => change(item) },
    remove !== undefined &&
      fulfilled === 0 && { id: 'remove', words: words.menuRemove, icon: Trash2, run: () => remove(item) },
  ]);
  const figures = <span className={styles.figures}>{texts.work.of(fulfilled, ordered)}</span>;
  const cells = {
    item: (
      <>
        <span className={`${parts.strong} ${styles.strong}`} title={name}>
          {name}
        </span>
        {notes !== '' && (
          <span className={styles.quiet} title={notes}>
            {notes}
          </span>
        )}
      </>
    ),
    place: <Place item={item} isUnassigned={isUnassigned} tab={tab} />,
    state: (
      <>
        <span className={styles.tag}>
          <StateTag tone={item.timed_out || item.awaits_scan ? 'care' : ITEM_TONES[state]} words={said} />
          {item.verified && <ScanBarcode size={16} role="img" aria-label={words.verified} />}
        </span>
        <Pickers pickers={picker} isSmall />
      </>
    ),
    quantity:
      correct === undefined ? (
        figures
      ) : (
        <Button
          look="quiet"
          aria-label={words.correct(name, fulfilled, ordered)}
          excludeFromTabOrder={!isCurrent}
          data-control="quantity"
          onPress={() => correct(item)}
        >
          {figures}
        </Button>
      ),
    more: <MoreMenu label={texts.work.more(name)} groups={menu} isCurrent={isCurrent} />,
  };
  return <Cells look={styles} of={cells} />;
});

/** Whether the item can be lit again: it was lit, but its light went out before the pick. */
function canLight({ state, deviceid, timed_out: timedOut }: Item): boolean {
  return deviceid !== null && (state === 'open' || state === 'cancelled' || timedOut);
}

function Place({ item, isUnassigned, tab }: { item: Item; isUnassigned: boolean; tab: 0 | -1 }) {
  const { deviceid, warehouse_location: place = '', state, command_id: commandId } = item;
  if (deviceid === null && !isUnassigned && place === '' && item.SKU !== undefined && item.SKU !== '')
    return <ExpectedPlace sku={item.SKU} />;
  if (deviceid === null) {
    const hint = isUnassigned ? texts.work.noDevice : words.notYet;
    return (
      <>
        {place !== '' && <span className={styles.cut}>{place}</span>}
        <span className={isUnassigned ? parts.careStrong : styles.quiet}>{hint}</span>
      </>
    );
  }
  return (
    <>
      <LitLink deviceid={deviceid} commandId={state === 'active' ? commandId : null} tab={tab} />
      {place !== '' && <AtPlace deviceid={deviceid} place={place} />}
    </>
  );
}

/** The places of the article, one of which a launch will light. */
function ExpectedPlace({ sku }: { sku: string }) {
  const { api } = useStationContext();
  const { value = [] } = useStationQuery(['article', sku, 'places'], () => api.loadStock({ sku, limit: MAX_EXPECTED }));
  const places = words.places(value.map(({ location }) => location));
  if (places === '') return <span className={styles.quiet}>{words.notYet}</span>;
  return (
    <>
      <span className={styles.cut} title={places}>
        {places}
      </span>
      <span className={styles.quiet}>{words.expected}</span>
    </>
  );
}

/** The requested place, if it differs from the device's name. */
function AtPlace({ deviceid, place }: { deviceid: string; place: string }) {
  const device = useDevice(deviceid);
  if (device?.locationoverride === place || place === deviceid) return null;
  return <span className={styles.quiet}>{words.atPlace(place)}</span>;
}
