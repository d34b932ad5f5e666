import type { CoreOf } from '../../core.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { Copier } from '../../ports.ts';
import type { ArticlePlaceRow, MovementRow } from '../../db/repositories/stock.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import type { TaskRecords } from './taskRecords.ts';

/** The tables of articles and their stock. */
export type ArticleTables = Pick<Repositories, 'articles' | 'stock'>;

/** What an item says of its article. */
export type NamingItem = { articleId: number | null; sku: string | null; upc: string | null; name: string | null };

/** A place of an article before and after a change of its stock or limits. `after`: undefined: the article does not have it any more. */
export type PlaceChange = { before: ArticlePlaceRow | undefined; after: ArticlePlaceRow | undefined; by: string };

/** What follows a change of stock, in its commit. */
export type Following = {
  /** The movement is written, and the place has its new stock. `change`: undefined: the article does not have the place. */
  moved(tx: Transaction, movement: MovementRow, change: PlaceChange | undefined): void;
  /** Pieces were picked. `isLast`: the line is complete. Asks what is left, where a setting says so. */
  picked(tx: Transaction, movement: MovementRow, isLast: boolean): void;
  /** The limits of a place changed, or the article does not have it any more. */
  limited(tx: Transaction, change: PlaceChange): void;
  /** Somebody should count there. */
  doubted(tx: Transaction, place: ArticlePlaceRow, by: string): void;
  /** A line of an order has this many pieces now; `pieces`: more or, below 0, fewer than before. */
  booked(tx: Transaction, itemId: number, line: { fulfilled: number; pieces: number }): void;
};

/** The tables of stock, with what follows each movement. Only the station's own group creates it. */
export type Books = ArticleTables & { following: Following };

/** What the use-cases of articles share: their needs and their state. */
export type ArticlesContext = {
  repositories: CoreOf<'articles'>['repositories'] & { following: Following };
  taskRecords: TaskRecords;
  /** Committed rows. */
  reads: CoreOf<'articles'>['repositories'];
  writer: Writer;
  copier: Pick<Copier, 'convertPicture'>;
  /** Aborted when the station stops. */
  signal: AbortSignal;
};
