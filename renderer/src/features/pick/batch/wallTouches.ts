import { wallPick as words } from '../../../words/wallPick.ts';
import type { PickLine } from '../session/sessionTypes.ts';
import { callFor, keep, withMessage, stay } from './batchSteps.ts';
import type { BatchPieces, BatchQuestion, BatchSession, BatchStep, BatchTouch } from './batchTypes.ts';
import { partOf } from './batchPart.ts';
import { lineKey, viewOf } from './batchView.ts';
import { sortArticle } from './wallEntries.ts';

/** Handles touches that exist only at a wall. Returns undefined for other touches. */
export function onWall(state: BatchSession, touch: BatchTouch, now: number): BatchStep | undefined {
  const part = partOf(state);
  switch (touch.touch) {
    case 'articles':
      return stay({ ...state, question: { kind: 'articles' } });
    case 'setAside':
      return part.kind === 'put' ? setAside(state, part.pieces, now) : stay(state);
    case 'askNoMore':
      return stay({ ...state, question: { kind: 'noMore', kept: [] } });
    case 'askNotOnCart':
      return stay({ ...state, question: { kind: 'notOnCart' } });
    case 'askFirstCart':
      return stay({ ...state, question: { kind: 'firstCart' } });
    default:
      return undefined;
  }
}

type WallQuestion = Extract<BatchQuestion, { kind: 'articles' | 'noMore' | 'notOnCart' | 'firstCart' }>;

/** Handles a touch on a question that exists only at a wall. */
export function answerWall(state: BatchSession, question: WallQuestion, touch: BatchTouch): BatchStep {
  const closed = { ...state, question: undefined };
  switch (question.kind) {
    case 'articles':
      return touch.touch === 'article' ? sortLine(closed, touch.line) : stay(closed);
    case 'noMore': {
      if (touch.touch === 'keepOpen') {
        const { line } = touch;
        const { kept } = question;
        const next = kept.includes(line) ? kept.filter((each) => each !== line) : [...kept, line];
        return stay({ ...state, question: { ...question, kept: next } });
      }
      if (touch.touch !== 'reason') return stay(closed);
      const items = missingItems(viewOf(state)?.lines ?? [], question.kept);
      return items.length === 0 ? stay(closed) : callFor(closed, { call: 'short', items, reason: touch.reason });
    }
    case 'notOnCart':
      return touch.touch === 'notOnCart' ? callFor(closed, { call: 'notOnCart', what: touch.what }) : stay(closed);
    case 'firstCart':
      return touch.touch === 'firstCart' ? stay({ ...closed, firstCart: touch.cart }) : stay(closed);
  }
}

function sortLine(state: BatchSession, key: string): BatchStep {
  const line = viewOf(state)?.lines.find((each) => lineKey(each) === key);
  const [share] = line?.shares ?? [];
  if (line === undefined || share === undefined) return stay(state);
  return sortArticle(
    state,
    { code: line.text === '' ? line.SKU || '-' : line.text, source: 'keyboard' },
    share.item_id,
  );
}

/** Returns the item ids of these lines, except lines whose articles will still arrive (`kept`). */
export function missingItems(lines: readonly PickLine[], kept: readonly string[]): number[] {
  const open = lines.filter((line) => !kept.includes(lineKey(line))).flatMap(({ shares }) => shares ?? []);
  return [...new Set(open.map(({ item_id: itemId }) => itemId))];
}

/** Cancels a mistaken scan and turns the slots off. Pieces that Undo took out of a slot return to where they were. */
function setAside(state: BatchSession, pieces: readonly BatchPieces[], now: number): BatchStep {
  const batch = viewOf(state)?.batch;
  const isInHand = ({ slot, item_id: item }: BatchPieces): boolean =>
    batch?.cart === null &&
    batch.slots.some(
      (each) => each.slot === slot && each.shares.some((share) => share.item_id === item && share.in_hand > 0),
    );
  const undone = pieces.filter(isInHand);
  const rest = pieces.filter((piece) => !isInHand(piece));
  const heard = { ...state, answer: undefined, scanned: undefined };
  const unpicked =
    undone.length === 0
      ? undefined
      : keep(heard, { place: words.put.setAside, act: { does: 'unpick', pieces: undone } });
  const effects = unpicked === undefined ? [] : [unpicked.effect];
  const step =
    rest.length === 0
      ? withMessage(unpicked?.state ?? heard, { kind: 'note', text: words.message.setAside }, now)
      : callFor(unpicked?.state ?? heard, { call: 'hand', by: ownerOf(state, rest), what: 'set_aside' });
  return { state: step.state, effects: [...effects, ...step.effects] };
}

/** Returns this person's name if a person made these scans, or an empty text if they belong to nobody. */
function ownerOf(state: BatchSession, pieces: readonly BatchPieces[]): string {
  const scanned = viewOf(state)?.batch.scanned ?? [];
  const isOne = ({ slot, item_id: item }: { slot: string | null; item_id: number }): boolean =>
    pieces.some((piece) => piece.slot === slot && piece.item_id === item);
  const own = scanned.filter(isOne).map(({ by }) => by);
  return own.find((by) => by !== '') === undefined ? '' : state.me;
}
