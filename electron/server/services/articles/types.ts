import type { CoreOf } from '../../core.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { Copier } from '../../ports.ts';
import type { ArticlePlaceRow, MovementRow } from '../../db/repositories/stock.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import type { TaskRecords } from './taskRecords.ts';

export type ArticleTables = Pick<Repositories, 'articles' | 'stock'>;

/** The fields by which an item names its article. */
export type NamingItem = { articleId: number | null; sku: string | null; upc: string | null; name: string | null };

/** A place of an article before and after its stock or limits changed. `after` is undefined if the article no longer has the place. */
export type PlaceChange = { before: ArticlePlaceRow | undefined; after: ArticlePlaceRow | undefined; by: string };

/** Handles the effects of stock changes in the same commit. */
export type Following = {
  /** Handles a movement that was written with the new stock. `change` is undefined if the article does not have the place. */
  moved(tx: Transaction, movement: MovementRow, change: PlaceChange | undefined): void;
  /** Asks how many pieces are left after a pick, if a setting requires it. `isLast` tells whether the line is complete. */
  picked(tx: Transaction, movement: MovementRow, isLast: boolean): void;
  /** Handles changed limits of a place, or a place that was removed from the article. */
  limited(tx: Transaction, change: PlaceChange): void;
  /** Requests a count of a place whose stock is uncertain. */
  doubted(tx: Transaction, place: ArticlePlaceRow, by: string): void;
  /** Handles a changed quantity of an order line. `pieces` is the difference. */
  booked(tx: Transaction, itemId: number, line: { fulfilled: number; pieces: number }): void;
};

/** Stock tables, and the people whom movements name, with the handlers for each movement. Only the article group creates this object, so that no movement skips the handlers. */
export type Books = ArticleTables & Pick<Repositories, 'accounts'> & { following: Following };

/** State shared by the use cases for articles. */
export type ArticlesContext = {
  repositories: CoreOf<'articles'>['repositories'] & { following: Following };
  taskRecords: TaskRecords;
  /** Tables for reading committed rows only. */
  reads: CoreOf<'articles'>['repositories'];
  writer: Writer;
  copier: Pick<Copier, 'convertPicture'>;
  /** Aborted when the station stops. */
  signal: AbortSignal;
};
