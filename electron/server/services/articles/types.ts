import type { CoreOf } from '../../core.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { Copier } from '../../ports.ts';
import type { ArticlePlaceRow, MovementRow } from '../../db/repositories/stock.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import type { TaskRecords } from './taskRecords.ts';

/** The tables of articles and their stock. */
export type ArticleTables = Pick<Repositories, 'articles' | 'stock'>;

/** The fields by which an item names its article. */
export type NamingItem = { articleId: number | null; sku: string | null; upc: string | null; name: string | null };

/** A place of an article before and after a change of its stock or limits. `after`: undefined if the article no longer has the place. */
export type PlaceChange = { before: ArticlePlaceRow | undefined; after: ArticlePlaceRow | undefined; by: string };

/** Handles the effects of stock changes in the same commit. */
export type Following = {
  /** The movement and the new stock are written. `change`: undefined if the article does not have the place. */
  moved(tx: Transaction, movement: MovementRow, change: PlaceChange | undefined): void;
  /** Pieces were picked. `isLast`: the line is complete. Asks how many are left if a setting says so. */
  picked(tx: Transaction, movement: MovementRow, isLast: boolean): void;
  /** The limits of a place changed, or the article no longer has it. */
  limited(tx: Transaction, change: PlaceChange): void;
  /** The stock of a place is uncertain: somebody should count there. */
  doubted(tx: Transaction, place: ArticlePlaceRow, by: string): void;
  /** The quantity of an order line changed. `pieces`: the difference. */
  booked(tx: Transaction, itemId: number, line: { fulfilled: number; pieces: number }): void;
};

/** The tables of stock, with the effects of each movement. Only the station's own group creates it. */
export type Books = ArticleTables & { following: Following };

/** State shared by the use-cases of articles. */
export type ArticlesContext = {
  repositories: CoreOf<'articles'>['repositories'] & { following: Following };
  taskRecords: TaskRecords;
  /** Reads committed rows only. */
  reads: CoreOf<'articles'>['repositories'];
  writer: Writer;
  copier: Pick<Copier, 'convertPicture'>;
  /** Aborted when the station stops. */
  signal: AbortSignal;
};
