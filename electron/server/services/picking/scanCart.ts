import type { ScanRequest } from '#shared/api/picking.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import { readScan } from '#shared/lib/picking/scanCode.ts';
import { readCommandCode } from '#shared/lib/picking/scanCommands.ts';
import { pickedArticles } from '../batches/index.ts';
import { titleOfItem } from '../orders/index.ts';
import { type CodeMeaning, NOTHING, ofLines, type ScanTables } from './scanLines.ts';
import { articlesOfCode } from './scanWall.ts';
import { litCommands } from './work.ts';

/**
 * Finds the article of a code in a batch whose places are lit. Returns the light to press, which also verifies the items at that place, or
 * the picked items that the scan verifies. Returns undefined if the batch is not being picked, or if the code does not name exactly one
 * article of this batch. Throws `not_found` for an unknown batch.
 */
export function findAtCart(
  tables: ScanTables,
  { batch, code }: Pick<ScanRequest, 'batch' | 'code'>,
  picker: string,
): CodeMeaning | undefined {
  const items = batch === undefined ? undefined : pickedArticles(tables, batch);
  if (items === undefined || readCommandCode(readScan(code).text) !== undefined) return undefined;
  const [found, ...more] = articlesOfCode(tables, items, code);
  if (found === undefined || more.length > 0) return undefined;
  const { article, pack } = found;
  const own = items.filter((each) => each.article === article);
  const open = [...new Set(own.flatMap(({ pickId }) => pickId ?? []))].map((id) => ({
    id,
    whose: pickerOf(tables, id),
  }));
  const isTheirs = (whose: string | null): whose is string => whose !== null && nameKey(whose) !== nameKey(picker);
  const lights = open.flatMap(({ id, whose }) => {
    const command = tables.commands.findByOwner({ kind: 'pick', id });
    return command === undefined ? [] : [{ command, whose }];
  });
  const mine = lights.filter(({ whose }) => !isTheirs(whose)).map(({ command }) => command);
  if (mine.length > 0) {
    const meaning = ofLines(tables, { lit: litCommands(tables, mine), unlit: [] }, true);
    const { line } = meaning;
    if (line === undefined) return meaning;
    const verifies = own.filter(({ pickId }) => pickId === line.command.owner?.id).map(({ itemId }) => itemId);
    return { ...meaning, verifies, ...(pack === undefined ? {} : { pack }) };
  }
  const picked = own.filter((each) => each.picked > 0).map(({ itemId }) => itemId);
  const [first] = own.flatMap(({ itemId }) => tables.items.find(itemId) ?? []);
  const text = first === undefined ? code : titleOfItem(first);
  if (picked.length > 0) {
    const says = `${text} is the right article.`;
    return { answer: { ...NOTHING, result: 'acknowledged', says, text, verified: true }, verifies: picked };
  }
  const other = lights.map(({ whose }) => whose).find(isTheirs);
  const says = other === undefined ? `${text} has no light. Confirm its line.` : `${text} is lit for ${other}.`;
  return { answer: { ...NOTHING, result: 'place', says, text } };
}

/** Returns the person to whom a light of the batch is assigned, or null if it is assigned to nobody. */
function pickerOf({ batches }: ScanTables, pickId: number): string | null {
  const pick = batches.findPick(pickId);
  return pick === undefined ? null : (pick.picker ?? batches.find(pick.batchId)?.picker ?? null);
}
