import type { CoreOf } from '../../core.ts';
import type { BatchRow } from '../../db/repositories/batches.ts';
import type { Transaction } from '../../db/writer.ts';
import type { BatchContent } from '../../domain/batches/types.ts';
import type { AlertRecords } from '../alerts/index.ts';
import type { ItemStock } from '../articles/index.ts';
import type { Commands } from '../commands/index.ts';
import type { BatchWork } from '../orders/index.ts';

/** State shared by the use cases for batches. */
export type BatchesContext = Pick<CoreOf<'batches'>, 'repositories' | 'reads' | 'writer' | 'settings'> & {
  commands: Commands;
  batchWork: BatchWork;
  alerts: Pick<AlertRecords, 'findOpen' | 'raise' | 'end'>;
  /** Pauses the orders and batches that a person is picking, except `but`. */
  pauseOtherWork(tx: Transaction, name: string, how: { by: string; but: number }): void;
  itemStock: Pick<ItemStock, 'findArticleId' | 'putBacks'>;
};

/** A batch with its contents. */
export type Open = { row: BatchRow; batch: BatchContent };

/** A caller that acts in a batch. `picker` is the person for whom the caller acts. `at` is the time of the press, if it was a press. */
export type Doer = { by: string; picker?: string | undefined; at?: number | undefined };
