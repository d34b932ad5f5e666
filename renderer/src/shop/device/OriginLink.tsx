import { ClipboardList, Layers, ListOrdered } from 'lucide-react';
import { Link } from 'wouter';
import { type CommandOrigin, originAddress, originWords } from '../../station/addresses.ts';
import * as texts from '../../words/texts.ts';
import styles from './OriginLink.module.css';

/**
 * Links to the order, sequence or batch that lit a command. The link is only an icon, because the name is next to it.
 * Renders nothing if the command has no such origin.
 */
export function OriginLink({ entry, tab }: { entry: CommandOrigin; tab: 0 | -1 }) {
  const { order_number: order, sequenceid, batch_id: batch = null, batch_name: name } = entry;
  if (originWords(entry) === '') return null;
  const Icon = order !== null ? ClipboardList : batch !== null ? Layers : ListOrdered;
  const label =
    order !== null
      ? texts.work.openOrder(order)
      : batch !== null
        ? texts.work.openBatch(batch, name)
        : texts.work.openSequence(sequenceid ?? '');
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
