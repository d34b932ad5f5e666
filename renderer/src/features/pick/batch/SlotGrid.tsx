import { type CSSProperties, useLayoutEffect, useRef } from 'react';
import { Button } from 'react-aria-components';
import { cartPick as words } from '../../../words/cartPick.ts';
import styles from './Batch.module.css';
import type { BatchSlot } from './batchTypes.ts';

type Props = {
  rows: number;
  columns: number;
  /** The slots to draw. Without a batch, all of them are free. */
  slots: readonly (BatchSlot | { slot: string; state: 'free'; order_number: null; shares: [] })[];
  /** Number of pieces to put into each slot. These slots are highlighted. */
  lit?: ReadonlyMap<string, number>;
  /** Pieces that others hold for each slot, with the name and color of the person. */
  others?: ReadonlyMap<string, { by: string; quantity: number; style: CSSProperties | undefined }>;
  /** Reasons why the light of a slot may fail. */
  troubles?: ReadonlyMap<string, string>;
  /** The slot to highlight. */
  marked?: string | undefined;
  isRefused?: boolean;
  touch?: ((slot: string) => void) | undefined;
};

type Look = BatchSlot['state'] | 'short';

const LIT = '[data-lit], [data-marked]';

/** Draws the cart or wall as the person sees it, enlarges rows and columns with slots to fill, and scrolls to the first of these slots. */
export function SlotGrid({
  rows,
  columns,
  slots,
  lit = new Map(),
  others = new Map(),
  troubles = new Map(),
  marked,
  isRefused,
  touch,
}: Props) {
  const isWanted = (slot: string): boolean => lit.has(slot) || slot === marked;
  const wanted = slots.filter(({ slot }) => isWanted(slot)).map(({ slot }) => slot);
  const tracks = (count: number, has: (index: number) => boolean, least: string, other: string): string =>
    Array.from({ length: count }, (_, index) =>
      has(index) ? `minmax(${least}, 3fr)` : `minmax(${other}, ${wanted.length > 0 ? 1 : 3}fr)`,
    ).join(' ');
  // All columns fit beside each other on a phone, unless there are very many.
  const fits = `calc((100% - ${columns - 1} * var(--between)) / ${columns})`;
  const style = {
    gridTemplateColumns: tracks(
      columns,
      (index) => wanted.some((slot) => columnOf(slot) === index),
      `clamp(44px, ${fits}, 76px)`,
      '0',
    ),
    gridTemplateRows: tracks(
      rows,
      (index) => wanted.some((slot) => rowOf(slot) === index),
      'var(--least)',
      'var(--other)',
    ),
  };
  const grid = useRef<HTMLUListElement>(null);
  const [first] = wanted;
  useLayoutEffect(() => {
    if (first !== undefined) grid.current?.querySelector(LIT)?.scrollIntoView({ block: 'nearest' });
  }, [first]);
  return (
    <ul
      ref={grid}
      className={styles.grid}
      style={style}
      data-refused={isRefused || undefined}
      data-lit={wanted.length > 0 || undefined}
    >
      {slots.map((slot) => (
        <Tile
          key={slot.slot}
          slot={slot}
          count={lit.get(slot.slot)}
          other={others.get(slot.slot)}
          trouble={troubles.get(slot.slot)}
          isMarked={slot.slot === marked}
          touch={touch}
        />
      ))}
    </ul>
  );
}

type TileProps = {
  slot: Props['slots'][number];
  count: number | undefined;
  other: { by: string; quantity: number; style: CSSProperties | undefined } | undefined;
  trouble: string | undefined;
  isMarked: boolean;
  touch: Props['touch'];
};

function Tile({
  slot: { slot, state, order_number: order, shares },
  count,
  other,
  trouble,
  isMarked,
  touch,
}: TileProps) {
  const put = shares.reduce((sum, share) => sum + share.put, 0);
  const all = shares.reduce((sum, share) => sum + share.quantity, 0);
  const isShort = shares.some((share) => share.state === 'short');
  const look = state === 'complete' && isShort ? 'short' : state;
  return (
    <li className={styles.cell}>
      <Button
        className={styles.tile ?? ''}
        data-state={look}
        style={{ '--fill': `${all === 0 ? 0 : Math.round((100 * put) / all)}%` } as CSSProperties}
        data-lit={count !== undefined || undefined}
        data-marked={isMarked || undefined}
        preventFocusOnPress
        isDisabled={touch === undefined}
        onPress={() => touch?.(slot)}
      >
        {count === undefined ? (
          <>
            <span className={styles.slot}>{slot}</span>{' '}
            {order !== null && (
              <span className={styles.order}>
                <bdi>{order}</bdi>
              </span>
            )}{' '}
            {all > 0 && (
              <span className={styles.filled}>
                {put}
                <span className={styles.ofWord}>{words.ofWord}</span>
                <span className={styles.slash} aria-hidden="true">
                  /
                </span>
                {all}
              </span>
            )}{' '}
            {isShown(look) && (
              <span className={styles.mark} aria-hidden="true">
                {MARKS[look]}
              </span>
            )}
            <span className={isShown(look) ? styles.state : 'visuallyHidden'}>
              {look === 'short' && <span className={styles.completeWord}>{words.states.complete}, </span>}
              {look === 'short' ? words.short : words.states[look]}
            </span>
          </>
        ) : (
          <>
            <span className="visuallyHidden">{words.put.put}</span>{' '}
            <strong className={styles.pieces} data-digits={String(count).length}>
              {count}
            </strong>{' '}
            <span className="visuallyHidden">{words.put.intoSlot}</span> <span className={styles.slot}>{slot}</span>
          </>
        )}{' '}
        {trouble !== undefined && (
          <>
            <span className={styles.mark} aria-hidden="true">
              ⚠
            </span>{' '}
            <span className={`${styles.state} ${styles.trouble}`}>{trouble}</span>
          </>
        )}{' '}
        {other !== undefined && (
          <span className={styles.otherHand} style={other.style}>
            <span className={styles.who}>{other.by}</span> {other.quantity}
          </span>
        )}
      </Button>
    </li>
  );
}

/** Symbols for states, used if a tile is too narrow for the word. */
const MARKS: Readonly<Partial<Record<Look, string>>> = { complete: '✓', short: '–', stopped: '!' };

const isShown = (look: Look): boolean => look !== 'free' && look !== 'open';

const rowOf = (slot: string): number => slot.charCodeAt(0) - 'A'.charCodeAt(0);
const columnOf = (slot: string): number => Number(slot.slice(1)) - 1;
