import { ClipboardList, ListOrdered } from 'lucide-react';
import { Link } from 'wouter';
import { type CommandOrigin, originAddress, originWords } from '../../station/addresses.ts';
import * as texts from '../../words/texts.ts';
import styles from './OriginLink.module.css';

/** A link to the order or sequence that lit a command, named beside it. Nothing if there is none. */
export function OriginLink({ entry, tab }: { entry: CommandOrigin; tab: 0 | -1 }) {
  const { order_number: order, sequenceid } = entry;
  if (originWords(entry) === '') return null;
  const Icon = order === null ? ListOrdered : ClipboardList;
  const label = order === null ? texts.work.openSequence(sequenceid ?? '') : texts.work.openOrder(order);
  return (
    <Link
      href={originAddress(entry)}
      className={styles.link ?? ''}
      tabIndex={tab}
      data-control="origin"
      aria-label={label}
      title={label}
    >
      <Icon size={16} aria-hidden="true" />
    </Link>
  );
}
