import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'wouter';
import { type MenuGroup, MoreMenu } from '../../ui/Menu.tsx';
import { Moment } from '../../ui/Moment.tsx';
import { StateTag } from '../../ui/StateTag.tsx';
import { Cells } from '../../ui/Grid.tsx';
import { texts } from '../../ui/texts.ts';
import { Meter } from './WorkSummary.tsx';
import parts from '../../ui/parts.module.css';
import styles from './WorkTable.module.css';

type Props = {
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

/** An order or a sequence and how far it is: the cells of its row. */
export function WorkLine(props: Props) {
  const { name, address, isCurrent, state, progress, said, notes, isCare, figure, created, menu } = props;
  const cells = {
    name: (
      <Link href={address} className={styles.link ?? ''} tabIndex={isCurrent ? 0 : -1} data-control="name">
        <span className={styles.strong} title={name}>
          {name}
        </span>
      </Link>
    ),
    state: <StateTag {...state} />,
    progress: (
      <>
        <Meter {...progress} />
        <span className={styles.said}>
          <span>{said}</span>
          {notes !== '' && (
            <span className={styles.quiet} data-care={isCare || undefined}>
              {notes}
            </span>
          )}
        </span>
      </>
    ),
    figures: figure,
    when: <Moment at={created} />,
    actions: <MoreMenu label={texts.work.more(name)} groups={menu} isCurrent={isCurrent} />,
  };
  return <Cells look={styles} of={cells} marks={{ actions: { className: `${parts.centered} ${styles.actions}` } }} />;
}
