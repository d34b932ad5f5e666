import type { ImportEntry, ImportUndoForecast } from '#shared/api/imports.ts';
import { articleFate } from './articles/applyArticles.ts';
import { locationFates } from './locations/undoLocations.ts';
import { orderFate } from './orders/undoOrders.ts';
import type { ImportsContext } from './types.ts';
import { forecastOf } from './undoForecast.ts';

/** Returns what an undo of an import would do now. Reads in steps, so that a press waits for one step at most. */
export async function forecastUndo(
  context: ImportsContext,
  { id, kind }: Pick<ImportEntry, 'id' | 'kind'>,
): Promise<ImportUndoForecast> {
  const { reads, foregroundReads } = context;
  if (kind === 'locations') {
    const fatesOf = await locationFates(context);
    return foregroundReads.takeAll(forecastOf(reads.imports.listPlaces(id), fatesOf));
  }
  if (kind === 'articles')
    return foregroundReads.takeAll(forecastOf(reads.importedArticles.list(id), (each) => [articleFate(context, each)]));
  return foregroundReads.takeAll(
    forecastOf(reads.imports.listOrders(id), (each) => [orderFate(context, { ...each, id })]),
  );
}
