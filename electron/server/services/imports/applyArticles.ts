import type { ImportArticleRow } from '#shared/api/imports.ts';
import type { ImportUndo } from '#shared/api/locationImport.ts';
import type { By } from '../base/index.ts';
import { type AppliedFile, applySteps, type AroundImport, type MadeImport } from './applySteps.ts';
import {
  articleCounts,
  articleRows,
  type ArticleJudgment,
  type JudgedArticle,
  type JudgedArticles,
  judgmentOf,
} from './judgeArticles.ts';
import type { ImportsContext } from './types.ts';
import { undoSteps, type Undone } from './undoSteps.ts';

/** Creates and changes the articles of a judged file, a use-case for each. */
export function applyArticles(
  context: ImportsContext,
  { articles, leftOut, reading }: JudgedArticles,
  made: MadeImport,
  around: AroundImport = {},
): Promise<AppliedFile<ImportArticleRow[], readonly JudgedArticle[]>> {
  const setsStock = reading.options.stock ?? false;
  // As the file says, whatever the station has by now: a repeated request has to have the same steps.
  const readable = articles.filter(({ read }) => read.problem === null);
  return applySteps(context, made, {
    kind: 'articles',
    action: 'articles.imported',
    around,
    steps: () => Promise.resolve(readable),
    apply(tx, { read }, { id }): ArticleJudgment {
      const { plan, imported } = context.articles.apply(tx, read, { setsStock, by: made.by.name });
      if (imported !== undefined) context.repositories.importedArticles.add(id, imported);
      return judgmentOf(plan);
    },
    refuse: (_step, message): ArticleJudgment => ({ outcome: 'refused', line: 0, message }),
    outcome(results) {
      const judged = new Map(readable.map(({ read }, index) => [read, results[index]]));
      const applied = articles.map((each) => ({ ...each, judgment: judged.get(each.read) ?? each.judgment }));
      const file = { articles: applied, leftOut };
      const of = (outcome: ArticleJudgment['outcome']): number =>
        applied.filter(({ judgment }) => judgment.outcome === outcome).length;
      return Promise.resolve({
        applied,
        rows: articleRows(file),
        counts: articleCounts(file),
        created: of('new'),
        changed: of('changed'),
      });
    },
  });
}

/** Reverts the articles of an import, last one first. Keeps what has changed since. */
export function undoArticles(context: ImportsContext, id: number, by: By): Promise<ImportUndo> {
  type Kept = ImportUndo['kept'][number];
  const undone = (articleId: number, name: string, message: string): Undone<Kept> => ({
    at: articleId,
    isUndone: message === '',
    kept: message === '' ? [] : [{ name, message }],
  });
  return undoSteps(
    context,
    { id, by },
    {
      steps: context.reads.importedArticles.list(id),
      undo: (tx, step) => {
        if ('damaged' in step) return [undone(step.articleId, '', 'Its stored previous values are damaged.')];
        return [undone(step.articleId, step.sku, context.articles.undo(tx, step, by.name))];
      },
      keep: (step, message) => [undone(step.articleId, 'sku' in step ? step.sku : '', message)],
      action: 'articles.importUndone',
    },
  );
}
