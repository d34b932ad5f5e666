import type { ImportArticleRow } from '#shared/api/imports.ts';
import type { ImportUndo } from '#shared/api/locationImport.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { ReadArticle } from '#shared/lib/tables/articles.ts';
import type { ImportedArticle, RecordedArticle } from '../../../db/repositories/importedArticles.ts';
import type { By } from '../../base/index.ts';
import { type ImportedLevel, previousNotes } from '../../articles/index.ts';
import { findByLocation } from '../../devices/index.ts';
import { type AppliedFile, applySteps, type AroundImport, type MadeImport } from '../applySteps.ts';
import {
  answeredArticles,
  type ArticleAssessment,
  type AssessedArticle,
  assessmentOf,
  unknownPlaces,
} from './assessArticles.ts';
import type { ArticlesReading, ImportsContext } from '../types.ts';
import type { UndoFate } from '../undoForecast.ts';
import { undoSteps, type Undone } from '../undoSteps.ts';

type Result = Omit<AssessedArticle, 'read'>;

/**
 * Creates a function that returns the keys of an article's places that did not exist before the import. It looks up each place once, before
 * the import creates it.
 */
function placesBefore(context: ImportsContext): (read: ReadArticle) => string[] {
  const known = new Map<string, boolean>();
  return (read) => {
    const asked = read.places.filter(({ location }) => !known.has(nameKey(location)));
    const unknown = new Set(unknownPlaces(context, { ...read, places: asked }));
    for (const { location } of asked) known.set(nameKey(location), !unknown.has(nameKey(location)));
    return read.places.map(({ location }) => nameKey(location)).filter((key) => known.get(key) === false);
  };
}

/** Creates and changes the articles in a file, with one transaction for each article. */
export function applyArticles(
  context: ImportsContext,
  { articles: file, options }: ArticlesReading,
  made: MadeImport,
  around: AroundImport = {},
): Promise<AppliedFile<ImportArticleRow[], readonly AssessedArticle[]>> {
  const setsStock = options.stock ?? false;
  const { articles, leftOut } = file ?? { articles: [], leftOut: [] };
  // Take these from the file rather than the station, because a repeated request must have the same steps.
  const readable = articles.filter(({ problem }) => problem === null);
  const unknownOf = placesBefore(context);
  return applySteps(context, made, {
    kind: 'articles',
    action: 'articles.imported',
    around,
    steps: () => Promise.resolve(readable),
    apply(tx, read, { id }): Result {
      const unknown = unknownOf(read);
      const { plan, imported } = context.articles.apply(tx, read, { setsStock, by: made.by.name });
      if (imported !== undefined) context.repositories.importedArticles.add(id, imported);
      return { assessment: assessmentOf(plan), unknown };
    },
    refuse: (_step, message): Result => ({ assessment: { outcome: 'refused', line: 0, message }, unknown: [] }),
    async outcome(results, id) {
      // An interrupted import may already have changed articles that now match the file.
      const done = made.continues === undefined ? undefined : await recordedBySku(context, id);
      const applies = new Map(
        readable.map((read, index) => [read, asWhole(context, read, results[index], done?.get(nameKey(read.sku)))]),
      );
      const applied = articles.map((read): AssessedArticle => {
        const { line, message } = read.problem ?? { line: 0, message: '' };
        const refused: Result = { assessment: { outcome: 'refused', line, message }, unknown: [] };
        return { read, ...(applies.get(read) ?? refused) };
      });
      const outcomes = { articles: applied, leftOut };
      const of = (outcome: ArticleAssessment['outcome']): number =>
        applied.filter(({ assessment }) => assessment.outcome === outcome).length;
      return {
        applied,
        ...(await answeredArticles(context, outcomes)),
        created: of('new'),
        changed: of('changed'),
      };
    },
  });
}

/** Reads the changes that the import has recorded, by SKU key. */
async function recordedBySku(
  { reads, foregroundReads }: ImportsContext,
  id: number,
): Promise<ReadonlyMap<string, ImportedArticle>> {
  const recorded = await foregroundReads.take(() => reads.importedArticles.list(id));
  return new Map(recorded.flatMap((each) => ('damaged' in each ? [] : [[nameKey(each.sku), each] as const])));
}

/** Returns an article's result over all attempts of the import. `done` is what an earlier attempt recorded about the article. */
function asWhole(
  { reads }: Pick<ImportsContext, 'reads'>,
  read: ReadArticle,
  result: Result | undefined,
  done: ImportedArticle | undefined,
): Result | undefined {
  if (done === undefined || result?.assessment.outcome !== 'known') return result;
  const { before, after } = done;
  const outcome = before === null ? 'new' : 'changed';
  const { assessment } = result;
  const levels = assessment.levels.map((level) => ({ ...level, from: levelBefore(before, level) }));
  const notes = before === null ? [] : previousNotes(before, after.fields);
  const places = read.places.filter(({ location }) => findByLocation(reads, location) === undefined);
  return {
    assessment: { ...assessment, outcome, levels, stock: after.stock, notes: [...notes, ...assessment.notes] },
    unknown: before === null ? places.map(({ location }) => nameKey(location)) : result.unknown,
  };
}

/**
 * Returns the place's minimum before the import. `before` contains the previous values of the fields that the import changed, or null if
 * the import created the article.
 */
function levelBefore(before: ImportedArticle['before'], { location, to }: ImportedLevel): number | null {
  if (before === null) return null;
  // If no places were recorded, the import did not change them.
  if (before.places === undefined) return to;
  return before.places.find((place) => nameKey(place.location) === nameKey(location))?.minimum ?? null;
}

/** Returns what an undo would do now with an article of an import. */
export function articleFate({ articles }: Pick<ImportsContext, 'articles'>, step: RecordedArticle): UndoFate {
  if ('damaged' in step) return { name: '', fate: 'kept', messages: [DAMAGED] };
  const { isRemoved, kept } = articles.planUndo(step);
  if (kept.length > 0) return { name: step.sku, fate: 'kept', messages: [kept.join(' ')] };
  return { name: step.sku, fate: isRemoved ? 'removed' : 'restored', messages: [] };
}

const DAMAGED = 'Its stored previous values are damaged.';

/** Reverts the articles of an import, last article first. Keeps articles that have changed since the import. */
export function undoArticles(context: ImportsContext, id: number, by: By): Promise<ImportUndo> {
  type Kept = ImportUndo['kept'][number];
  const { importedArticles } = context.repositories;
  const undone = (articleId: number, name: string, message: string): Undone<Kept> => ({
    at: articleId,
    isUndone: message === '',
    kept: message === '' ? [] : [{ name, message }],
  });
  return undoSteps(
    context,
    { id, by },
    {
      steps: context.reads.importedArticles.listIds(id),
      undo(tx, articleId) {
        const imported = importedArticles.find(id, articleId);
        if (imported === undefined) return { results: [] };
        if ('damaged' in imported) return { results: [undone(articleId, '', DAMAGED)] };
        const { message, undone: article } = context.articles.undo(tx, imported, by.name);
        const results = [undone(articleId, imported.sku, message)];
        return { results, content: article === undefined ? undefined : { article } };
      },
      keep(articleId, message) {
        const imported = importedArticles.find(id, articleId);
        return [undone(articleId, imported !== undefined && 'sku' in imported ? imported.sku : '', message)];
      },
      action: 'articles.importUndone',
    },
  );
}
