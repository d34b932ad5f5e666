import { nameKey } from '#shared/lib/text/nameKey.ts';
import { readScan } from '#shared/lib/picking/scanCode.ts';
import { wholeScan } from '../../../scan/entry.ts';
import type { Scan } from '../../../scan/windowScans.ts';
import { cartPick as words } from '../../../words/cartPick.ts';
import * as texts from '../../../words/texts.ts';
import { codesOf, placeOf } from '../session/lines.ts';
import type { PickLine } from '../session/sessionTypes.ts';
import { book, keep, remark, withMessage, sayWrong, stay, withEffects } from './batchSteps.ts';
import type { BatchInput, BatchPieces, BatchSession, BatchStep } from './batchTypes.ts';
import { needsScan, partOf } from './batchPart.ts';
import { viewOf } from './batchView.ts';

/**
 * The article that the page asks the person to scan. `line` is set if the pieces are not picked yet. `codes` has the
 * article's codes that the page knows.
 */
type AskedArticle = { name: string; items: readonly number[]; codes: readonly string[] } & (
  | { line: PickLine; found: number }
  | { line: undefined; pieces: readonly BatchPieces[] }
);

/** Returns all spellings of a scanned code under which a name may be known. */
export function spellingsOf({ code, second }: Scan): ReadonlySet<string> {
  const codes = [code, ...(second === undefined ? [] : [second])];
  return new Set(codes.flatMap((each) => [each, ...readScan(each).candidates]).map(nameKey));
}

/**
 * Returns how many pieces the scanned pack of this line's article contains, or undefined if the code is not that of a
 * pack.
 */
export function packIn({ barcodes = [] }: PickLine, spellings: ReadonlySet<string>): number | undefined {
  return barcodes.find(({ code, quantity }) => quantity > 1 && spellings.has(nameKey(code)))?.quantity;
}

/** Returns the article to scan, or undefined if there is none. */
export function askedArticle(state: BatchSession): AskedArticle | undefined {
  const { question } = state;
  if (question?.kind === 'scan') {
    const { line, found } = question;
    const items = (line.shares ?? []).map(({ item_id: item }) => item);
    return { name: line.text, items, codes: codesOf(line), line, found };
  }
  const part = partOf(state);
  if (part.kind !== 'verify') return undefined;
  const { pieces } = part;
  const items = pieces.map(({ item_id: item }) => item);
  const codes = items.flatMap((item) => state.codes.get(item) ?? []);
  return { name: nameOf(state, pieces), items, codes, line: undefined, pieces };
}

export const nameOf = ({ names }: BatchSession, [first]: readonly BatchPieces[]): string =>
  names.get(first?.item_id ?? 0) ?? words.verify.unnamed;

/**
 * Handles a scan while the page asks for an article. Never books another line. Asks the station about codes that the
 * page does not know.
 */
export function scanArticle(state: BatchSession, asked: AskedArticle, scan: Scan, now: number): BatchStep {
  const spellings = spellingsOf(scan);
  const isScanned = (name: string): boolean => name !== '' && spellings.has(nameKey(name));
  const [itemId] = asked.items;
  if (asked.codes.some(isScanned) || itemId === undefined) return acceptScan(state, asked, scan.code, now);
  if (asked.line !== undefined && [placeOf(asked.line), asked.line.deviceid ?? ''].some(isScanned))
    return sayWrong(state, words.verify.first(asked.name));
  return withEffects(state, { do: 'verify', scan, itemId });
}

/** Handles the station's reply to the scan of an article. */
export function handleVerified(
  state: BatchSession,
  { scan, itemId, result, failure }: Extract<BatchInput, { kind: 'verified' }>,
  now: number,
): BatchStep {
  const asked = askedArticle(state);
  // Somebody else has picked or verified the article in the meantime.
  if (asked === undefined || !asked.items.includes(itemId)) return sayWrong(state, words.verify.changed(scan.code));
  if (failure !== undefined || result === undefined) return sayWrong(state, failure?.message ?? words.failed);
  const whole = result.verified ? undefined : wholeScan(scan);
  if (whole !== undefined) return scanArticle(state, asked, whole, now);
  if (!result.verified) return sayWrong(state, texts.pick.verify.wrong(asked.name));
  return acceptScan(state, asked, scan.code, now);
}

/** Accepts the scan of the right article. `code` is null if the article cannot be scanned. */
export function acceptScan(state: BatchSession, asked: AskedArticle, code: string | null, now: number): BatchStep {
  const { name, line } = asked;
  if (line !== undefined)
    return book(state, line, { found: asked.found, shares: line.shares ?? [], scanned: code }, now);
  const kept = keep(
    { ...state, scanned: undefined },
    { place: name, act: { does: 'verify', pieces: asked.pieces, code } },
  );
  const message = code === null ? words.verify.skipped(name) : words.verify.right(name);
  const { state: after, effects } = withMessage(
    kept.state,
    { kind: code === null ? 'care' : 'right', text: message },
    now,
  );
  return { state: after, effects: [kept.effect, ...effects] };
}

/**
 * Handles another scan of an article whose pieces the person has just picked and verified. The same article at another
 * place needs a scan of that place first. Returns undefined if the scan has its usual meaning.
 */
export function scanHeld(
  state: BatchSession,
  { scan, line }: { scan: Scan; line: PickLine | undefined },
  now: number,
): BatchStep | undefined {
  const view = viewOf(state);
  const part = partOf(state, view);
  if (state.question !== undefined || view === undefined || part.kind !== 'put' || view.batch.mode !== 'cart')
    return undefined;
  if (line !== undefined && !needsScan(view, line)) return undefined;
  const spellings = spellingsOf(scan);
  const held = part.pieces.find(({ item_id: item }) =>
    (state.codes.get(item) ?? []).some((code) => spellings.has(nameKey(code))),
  );
  if (held === undefined) return undefined;
  return stay(remark(state, words.verify.held(nameOf(state, [held]), line && placeOf(line)), now));
}
