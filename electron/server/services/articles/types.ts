import type { CoreOf } from '../../core.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { Writer } from '../../db/writer.ts';
import type { Copier } from '../../ports.ts';

/** The tables of articles and their stock. */
export type ArticleTables = Pick<Repositories, 'articles' | 'stock'>;

/** What the use-cases of articles share: their needs and their state. */
export type ArticlesContext = {
  repositories: CoreOf<'articles'>['repositories'];
  /** Committed rows. */
  reads: CoreOf<'articles'>['repositories'];
  writer: Writer;
  copier: Pick<Copier, 'convertPicture'>;
  /** Aborted when the station stops. */
  signal: AbortSignal;
};
