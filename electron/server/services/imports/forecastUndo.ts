import type { ImportEntry, ImportUndoForecast } from '#shared/api/imports.ts';
import { articleFate } from './articles/applyArticles.ts';
import { locationFates } from './locations/undoLocations.ts';
import { orderFate } from './orders/undoOrders.ts';
import type { ImportsContext } from './types.ts';
import { forecastOf, type UndoFate } from './undoForecast.ts';

/** Returns what an undo of an import would do now. Reads in steps, so that a press waits for one step at most. */
export async function forecastUndo(
  context: ImportsContext,
  { id, kind }: Pick<ImportEntry, 'id' | 'kind'>,
): Promise<ImportUndoForecast> {
  const { reads, foregroundReads } = context;
  const { imports, importedArticles, importUndone } = reads;
  /** Forecasts the steps that an interrupted undo has left. */
  const forecast = (steps: readonly number[], fatesOf: (step: number) => readonly UndoFate[]) =>
    foregroundReads.takeAll(
      forecastOf(steps, (step) => (importUndone.findOf(id, step) === undefined ? fatesOf(step) : [])),
    );
  if (kind === 'locations') {
    const fatesOf = await locationFates(context);
    return forecast(imports.listPlaceSteps(id), (step) => fatesOf(imports.listPlacesOf(id, step)));
  }
  if (kind === 'articles') {
    return forecast(importedArticles.listIds(id), (articleId) => {
      const imported = importedArticles.find(id, articleId);
      return imported === undefined ? [] : [articleFate(context, imported)];
    });
  }
  return forecast(imports.listOrderIds(id), (orderId) => {
    const imported = imports.findOrder(id, orderId);
    return imported === undefined ? [] : [orderFate(context, { ...imported, id })];
  });
}
