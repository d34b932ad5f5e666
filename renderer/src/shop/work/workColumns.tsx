import type { ComponentProps, ReactNode } from 'react';
import { TriangleAlert } from 'lucide-react';
import { Link } from 'wouter';
import { StateTag } from '../../kit/feedback/StateTag.tsx';
import type { CellProps, Column } from '../../kit/list/columns.ts';
import { Marked } from '../../kit/Marked.tsx';
import { dotted } from '../../words/dotted.ts';
import { Moment } from '../Moment.tsx';
import { FoundInside } from './WorkSearch.tsx';
import { Meter } from './WorkSummary.tsx';
import styles from './WorkTable.module.css';

/** An order or sequence with its progress. */
export type WorkFacts = {
  name: string;
  address: string;
  state: ComponentProps<typeof StateTag>;
  progress: ComponentProps<typeof Meter>;
  /** Content next to the name. */
  under?: ReactNode;
  /** A line below the name, which a search match replaces. */
  detail?: string | undefined;
  /** The reason why the row needs attention; empty if it does not. */
  mark?: string;
  urgency?: ReactNode;
  /** The progress in words, and unusual facts. `isCare` tells whether to highlight the unusual facts. */
  said: string;
  notes: string;
  isCare: boolean;
  figure: ReactNode;
  created: string;
};

type Part = 'name' | 'state' | 'progress' | 'urgency' | 'figures' | 'when';

/** Drawing function and width of each part of a row. */
const PARTS: Readonly<
  Record<Part, { width: string; hidesBelow?: number; cell(facts: WorkFacts, tab: 0 | -1): ReactNode }>
> = {
  name: {
    width: 'minmax(96px, 1fr)',
    cell: ({ name, address, under, detail }, tab) => (
      <>
        <Link href={address} className={styles.link ?? ''} tabIndex={tab} data-control="name">
          <span className={styles.strong} title={name}>
            <Marked text={name} />
          </span>
        </Link>
        {under}
        <FoundInside name={name} otherwise={detail} />
      </>
    ),
  },
  state: { width: 'minmax(112px, 132px)', cell: ({ state }) => <StateTag {...state} /> },
  progress: { width: 'minmax(196px, 1fr)', cell: (facts) => <Progress {...facts} /> },
  urgency: { width: 'minmax(124px, 136px)', cell: ({ urgency }) => urgency },
  figures: { width: 'minmax(96px, 128px)', hidesBelow: 641, cell: ({ figure }) => figure },
  when: { width: 'minmax(112px, 132px)', hidesBelow: 901, cell: ({ created }) => <Moment at={created} /> },
};

type Described<Row, Id extends string, Actions> = Pick<Column<Row, Id, Actions>, 'id' | 'words' | 'sort' | 'isName'> &
  Partial<Pick<Column<Row, Id, Actions>, 'hidesBelow'>> & { part: Part };

/** Creates the columns of a list of orders or sequences. Calls `factsOf` once per row. */
export function workColumns<Row extends object, Id extends string, Actions>(
  factsOf: (row: Row) => WorkFacts,
  columns: readonly Described<Row, Id, Actions>[],
): readonly Column<Row, Id, Actions>[] {
  const kept = new WeakMap<Row, WorkFacts>();
  function keptFactsOf(row: Row): WorkFacts {
    const facts = kept.get(row) ?? factsOf(row);
    kept.set(row, facts);
    return facts;
  }
  return columns.map(({ part, ...column }) => {
    const { cell, ...usual } = PARTS[part];
    const Cell = ({ row, tab }: CellProps<Row, Actions>) => cell(keptFactsOf(row), tab);
    return { ...usual, ...column, className: styles[part], cell: Cell };
  });
}

function Progress({ progress, said, mark = '', notes, isCare }: WorkFacts) {
  return (
    <>
      <Meter {...progress} />
      <span className={styles.said}>
        <span>{said}</span>
        {mark !== '' && (
          <span className={styles.mark}>
            <TriangleAlert size={14} aria-hidden="true" />
            {dotted(mark, notes)}
          </span>
        )}
        {mark === '' && notes !== '' && (
          <span className={styles.quiet} data-care={isCare || undefined}>
            {notes}
          </span>
        )}
      </span>
    </>
  );
}
