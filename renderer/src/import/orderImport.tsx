import type { ImportRow } from '#shared/api/imports.ts';
import { isUnclearNumber } from '#shared/lib/tables/cells/numbers.ts';
import { useStationState } from '../station/context.ts';
import parts from '../kit/parts.module.css';
import * as texts from '../words/texts.ts';
import type { ImportKind } from './kind.ts';
import styles from './orderImport.module.css';

const words = texts.orderImport;

export const ORDER_FILES: ImportKind<ImportRow> = {
  kind: 'orders',
  words: {
    ...words,
    running: ({ orders }) => words.running(orders),
    submit: ({ orders }) => words.submit(orders),
  },
  examples: [
    {
      title: texts.importing.example,
      csv: 'order_number;SKU;name;ordered_quantity;warehouse_location\n10418;M8-934;M8 nut;12;A-4-2\n10418;CT-200;Cable tie 200;5;A-3-2\n10419;GL-M;Glove M;3;B-2-1',
    },
  ],
  isRow: (row): row is ImportRow => 'order_number' in row,
  rowClass: styles.row,
  columns: [
    {
      heading: words.columns.order,
      width: 'minmax(110px, 1fr)',
      className: styles.order,
      field: () => 'order_number',
      text: (row) => row.order_number,
      below: ({ shipment_number: shipment }) => (shipment === '' ? null : words.shipment(shipment)),
      isStrong: true,
    },
    {
      heading: words.columns.quantity,
      width: '80px',
      className: styles.quantity,
      field: (inFile) => (inFile.has('quantity_to_ship') ? 'quantity_to_ship' : 'ordered_quantity'),
      text: (row) => row.ordered_quantity,
      below: ({ quantity, ordered_quantity: ordered }) =>
        quantity === null || String(quantity) === ordered.trim() ? null : words.readQuantity(quantity),
    },
    {
      heading: words.columns.item,
      width: 'minmax(120px, 1.4fr)',
      className: styles.item,
      field: () => 'name',
      text: (row) => row.name,
    },
    {
      heading: words.columns.code,
      width: 'minmax(90px, 1fr)',
      className: styles.code,
      field: (inFile) => (inFile.has('SKU') ? 'SKU' : 'UPC'),
      text: (row, field) => (field === 'SKU' ? row.SKU : row.UPC),
      below: ({ SKU, UPC }, field) => (field === 'SKU' && UPC !== '' && UPC !== SKU ? UPC : null),
    },
    {
      heading: words.columns.place,
      width: 'minmax(120px, 1fr)',
      className: styles.place,
      field: () => 'warehouse_location',
      text: (row) => row.warehouse_location,
      below: (row) => (row.outcome === 'new' || row.outcome === 'changed' ? <Lights row={row} /> : null),
    },
  ],
  saved: ['order_number', 'shipment_number', 'SKU', 'UPC', 'name', 'ordered_quantity', 'warehouse_location'],
  findUnclear: ({ ordered_quantity: quantity }) => (isUnclearNumber(quantity) ? quantity : undefined),
  leftOut: ({ known, held, refused, left_out: other }) => known + held + refused + other,
  draftsHint: words.draftsHint,
  orderKeys(rows) {
    let last = '';
    return new Map(
      rows.map(({ line, order_number: number }) => {
        // A row without a number belongs to the order above.
        if (number !== '') last = number;
        return [line, last];
      }),
    );
  },
  summary(counts, rows) {
    const withoutDevice = rows.filter(({ outcome, deviceid }) => outcome === 'new' && deviceid === null).length;
    return [
      ...(counts.orders > 0 ? [words.summary(counts.orders, counts.new)] : []),
      ...(counts.changed > 0 ? [words.changes(counts.changed)] : []),
      ...(withoutDevice > 0 ? [words.withoutDevice(withoutDevice)] : []),
    ];
  },
  hasOrderOptions: true,
};

/**
 * Shows the device that the row lights, unless the device has the same name as its place. Shows a warning if there is
 * no device.
 */
function Lights({ row: { deviceid, warehouse_location: place } }: { row: ImportRow }) {
  const device = useStationState(({ places }) => places.find((each) => each.deviceid === deviceid));
  if (deviceid === null) {
    return (
      <span className={parts.care} title={words.noDeviceHint}>
        {words.noDevice}
      </span>
    );
  }
  const name = device?.name ?? deviceid;
  return name.toLowerCase() === place.toLowerCase() ? null : <span>{name}</span>;
}
