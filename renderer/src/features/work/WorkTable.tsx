import { Ellipsis } from 'lucide-react';
import { useCallback, type ComponentProps, type ReactNode } from 'react';
import { Link } from 'wouter';
import { Button } from '../../ui/Button.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { Menu, type MenuGroup } from '../../ui/Menu.tsx';
import { texts } from '../../ui/texts.ts';
import { Moment } from '../people/Moment.tsx';
import { Meter } from './Meter.tsx';
import { StateTag } from './StateTag.tsx';
import styles from './WorkTable.module.css';

const ROW_HEIGHT = 60;
const CLASSES = [styles.name, styles.state, styles.progress, styles.figures, styles.when];

type Row = { key: string };
type Table<R extends Row, By extends string, Actions> = ComponentProps<typeof DataTable<R, By, Actions>>;

type Props<R extends Row, By extends string, Actions> = Omit<
  Table<R, By, Actions>,
  'label' | 'rowHeight' | 'columns' | 'headings' | 'checkOf' | 'chooseAllWords'
> & {
  words: { table: string; columns: Readonly<Record<By, string>>; select(key: string): string; selectAll: string };
  /** The name, the state, how far it is, a figure, and when it was made. */
  columns: readonly By[];
  mayChoose: boolean;
};

/** Orders or sequences and how far they are, a line each. */
export function WorkTable<R extends Row, By extends string, Actions>(props: Props<R, By, Actions>) {
  const { words, columns, mayChoose, ...table } = props;
  const checkOf = useCallback(({ key }: R) => (mayChoose ? words.select(key) : undefined), [mayChoose, words]);
  return (
    <DataTable
      {...table}
      label={words.table}
      rowHeight={ROW_HEIGHT}
      columns={styles.columns ?? ''}
      headings={columns.map((by, at) => ({ by, words: words.columns[by], className: CLASSES[at] ?? '' }))}
      checkOf={checkOf}
      chooseAllWords={words.selectAll}
    />
  );
}

type LineProps = {
  name: string;
  address: string;
  /** It is on the way of Tab. */
  isCurrent: boolean;
  state: ComponentProps<typeof StateTag>;
  progress: ComponentProps<typeof Meter>;
  /** The progress in words, and what of it is out of the ordinary: `isCare`, so that somebody should look. */
  said: string;
  notes: string;
  isCare: boolean;
  figure: ReactNode;
  /** When it was made. */
  created: string;
  menu: MenuGroup[];
};

/** The cells of one of them. */
export function WorkLine(props: LineProps) {
  const { name, address, isCurrent, state, progress, said, notes, isCare, figure, created, menu } = props;
  return (
    <>
      <div role="gridcell" className={styles.name}>
        <Link href={address} className={styles.link ?? ''} tabIndex={isCurrent ? 0 : -1} data-control="name">
          <span className={styles.strong} title={name}>
            {name}
          </span>
        </Link>
      </div>
      <div role="gridcell" className={styles.state}>
        <StateTag {...state} />
      </div>
      <div role="gridcell" className={styles.progress}>
        <Meter {...progress} />
        <span className={styles.said}>
          <span>{said}</span>
          {notes !== '' && (
            <span className={styles.quiet} data-care={isCare || undefined}>
              {notes}
            </span>
          )}
        </span>
      </div>
      <div role="gridcell" className={styles.figures}>
        {figure}
      </div>
      <div role="gridcell" className={styles.when}>
        <Moment at={created} />
      </div>
      <div role="gridcell" className={styles.actions}>
        <Menu
          label={texts.work.more(name)}
          placement="bottom end"
          trigger={
            <Button look="icon" aria-label={texts.work.more(name)} excludeFromTabOrder={!isCurrent} data-control="menu">
              <Ellipsis size={20} aria-hidden="true" />
            </Button>
          }
          groups={menu}
        />
      </div>
    </>
  );
}
