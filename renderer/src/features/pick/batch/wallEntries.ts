import type { ScanResult } from '#shared/api/picking.ts';
import type { Scan } from '../../../scan/windowScans.ts';
import type { ActionFailure } from '../../../station/outbox/actions.ts';
import * as texts from '../../../words/texts.ts';
import { wallPick as words } from '../../../words/wallPick.ts';
import type { PickMessage } from '../session/sessionTypes.ts';
import { withMessage, sayWrong, withEffects } from './batchSteps.ts';
import type { BatchSession, BatchStep, LostScan } from './batchTypes.ts';

/**
 * Handles the scan of an article. Closes the list of articles without a barcode; while another question is open,
 * rejects the scan.
 */
export function handleArticle(state: BatchSession, scan: Scan): BatchStep {
  if (state.question !== undefined && state.question.kind !== 'articles')
    return sayWrong(state, texts.pick.message.noCommand(scan.code));
  return sortArticle(state, scan);
}

/**
 * Asks the station to light the slots for an article, or reports that the connection is lost. `itemId` is set if the
 * article has no barcode.
 */
export function sortArticle(state: BatchSession, scan: Scan, itemId?: number): BatchStep {
  if (state.isLost) return answer(state, { kind: 'wrong', text: words.answers.away });
  const typed = scan.count ?? state.stack;
  const lost = lostScan(state, { code: scan.code, count: typed === 0 ? undefined : typed, itemId });
  const count = lost?.count ?? typed;
  const counted = count === undefined || count === 0 ? scan : { ...scan, count };
  return withEffects(
    {
      ...state,
      question: undefined,
      scanned: undefined,
      answer: undefined,
      stack: undefined,
      sorting: state.sorting + 1,
      lostScans: state.lostScans.filter((each) => each !== lost),
    },
    {
      do: 'sort',
      scan: counted,
      ...(itemId === undefined ? {} : { itemId }),
      ...(lost === undefined ? {} : { lost }),
    },
  );
}

/** Returns the scan that this one repeats because its answer did not arrive. Without a typed number, its number counts. */
function lostScan(
  { lostScans, read }: BatchSession,
  { code, count, itemId }: Pick<LostScan, 'code' | 'count' | 'itemId'>,
): LostScan | undefined {
  return lostScans.find(
    (lost) =>
      lost.batch === read?.batch?.id &&
      lost.code === code &&
      lost.itemId === itemId &&
      (count === undefined || lost.count === count),
  );
}

/** Reports why the station lit nothing. */
export function sayUnsorted(state: BatchSession, { code, message }: ActionFailure): BatchStep {
  return answer(state, { kind: 'wrong', text: code === 'unreachable' ? words.answers.noAnswer : message });
}

function answer(state: BatchSession, message: PickMessage): BatchStep {
  const sound = message.kind === 'wrong' ? 'wrong' : 'right';
  return withEffects({ ...state, answer: message, scanned: undefined }, { do: 'play', answer: sound });
}

/** Reports what an article means at the wall. Returns undefined if the code names something else. */
export function sayAnswer(state: BatchSession, result: ScanResult, now: number): BatchStep | undefined {
  const { puts = [], left_over: left = 0, says } = result;
  switch (result.result) {
    case 'put':
      if (state.read?.batch?.put_confirmation === 'none') return sayPutByScan(state, result, now);
      return left > 0
        ? answer(state, { kind: 'care', text: words.answers.leftOver(left) })
        : withEffects(state, { do: 'play', answer: 'right' });
    case 'single':
      return saySingle(state, result, now);
    case 'press_first':
      return sayWrong(state, words.answers.pressFirst(puts.map(({ slot }) => slot)));
    case 'not_needed':
      return answer(state, { kind: 'wrong', text: words.answers.notNeeded });
    case 'all_done':
      return answer(state, { kind: 'wrong', text: words.answers.allDone(left) });
    case 'wall_full':
    case 'unknown':
      return answer(state, { kind: 'wrong', text: says });
    default:
      return undefined;
  }
}

/** Reports that the station has booked an order of a single piece. */
function saySingle(state: BatchSession, result: ScanResult, now: number): BatchStep {
  const { left_over: left = 0, item_id: item, order_number: order } = result;
  const large = words.answers.single(order ?? '');
  const more = left > 0 ? ` ${words.answers.singleLeft(left)}` : '';
  const answered = answer(state, { kind: 'care', text: `${large}${more}` });
  if (item === null || order === null) return answered;
  const pieces = [{ slot: null, item_id: item, order_number: order, quantity: 1 }];
  const undo = { does: 'put', place: order, pieces, key: undefined } as const;
  const next = { ...answered.state, undos: [...state.undos, undo] };
  const told = withMessage(next, { kind: 'right', text: words.message.single(order), canUndo: true }, now);
  // Drop the sound, because it has already been played.
  return { state: told.state, effects: answered.effects };
}

/** Reports a scan that has also put the pieces, because puts are not confirmed (`put_confirmation: none`). */
function sayPutByScan(state: BatchSession, result: ScanResult, now: number): BatchStep {
  const { puts = [], shares: pieces = [], left_over: left = 0 } = result;
  const undo = { does: 'put', place: words.put.takes(puts), pieces, key: undefined } as const;
  const canUndo = pieces.length > 0;
  const undos = canUndo ? [...state.undos, undo] : state.undos;
  const text = `${words.message.none(puts)}.`;
  const told = withMessage({ ...state, undos }, { kind: 'right', text, canUndo }, now);
  // Show the answer in the title as well, because it says where the piece goes.
  const large = left > 0 ? `${text} ${words.answers.leftOver(left)}` : text;
  return { ...told, state: { ...told.state, answer: { kind: left > 0 ? 'care' : 'right', text: large } } };
}
