import { Link } from 'wouter';
import type { Movement } from '#shared/api/stock.ts';
import { articleAddress, orderAddress } from '../../station/addresses.ts';
import parts from '../../kit/parts.module.css';
import * as texts from '../../words/texts.ts';
import { Moment } from '../Moment.tsx';
import styles from './StockTable.module.css';

const words = texts.articles.one;

/** A table of stock movements. `ofMany` tells whether to show the article of each movement. */
export function MovementTable({ movements, ofMany = false }: { movements: readonly Movement[]; ofMany?: boolean }) {
  const { movementColumns: columns } = words;
  return (
    <div className={`${parts.card} ${styles.scroll}`}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{columns.time}</th>
            <th scope="col">{columns.what}</th>
            {ofMany && <th scope="col">{columns.article}</th>}
            <th scope="col">{columns.location}</th>
            <th scope="col">{columns.delta}</th>
            <th scope="col">{columns.onHand}</th>
            <th scope="col">{columns.by}</th>
          </tr>
        </thead>
        <tbody>
          {movements.map((movement) => (
            <MovementRow key={movement.movement_id} movement={movement} ofMany={ofMany} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function MovementRow({ movement, ofMany }: { movement: Movement; ofMany: boolean }) {
  const { time, kind, SKU: sku, location, delta, on_hand: pieces, order, reason, by, picker } = movement;
  return (
    <tr>
      <td>
        <Moment at={time} />
      </td>
      <td>
        {kind === 'pick' && delta > 0 ? words.takenBack : words.kinds[kind]}{' '}
        {order !== null && <Link href={orderAddress(order)}>{words.order(order)}</Link>}{' '}
        {reason !== '' && <span className={parts.small}>{reason}</span>}
      </td>
      {ofMany && (
        <td>
          <Link href={articleAddress(sku)}>{sku}</Link>
        </td>
      )}
      <td>{location}</td>
      <td>{delta > 0 ? `+${delta}` : signed(delta)}</td>
      <td>{pieces === null ? <span className={parts.quiet}>{words.unknown}</span> : signed(pieces)}</td>
      <td>{by === 'device' ? picker || words.device : by}</td>
    </tr>
  );
}

/** Formats a number with a typographic minus sign. */
function signed(figure: number): string {
  return String(figure).replace('-', '−');
}
