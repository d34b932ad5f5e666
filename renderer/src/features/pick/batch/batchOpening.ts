import { cartPick as words } from '../../../words/cartPick.ts';
import * as texts from '../../../words/texts.ts';
import { handleAnswer } from './batchEntries.ts';
import { isHolding } from './batchPart.ts';
import { sayWrong, stay, withEffects } from './batchSteps.ts';
import type { BatchInput, BatchSession, BatchStep } from './batchTypes.ts';

type Of<Kind extends BatchInput['kind']> = Extract<BatchInput, { kind: Kind }>;

/**
 * Handles the station's reply about a code. While another cart or wall is about to be opened, only the code of a third
 * one counts: all other codes wait, because they belong to that cart or wall.
 */
export function handleAnswered(state: BatchSession, event: Of<'answered'>, now: number): BatchStep {
  const { scan, result } = event;
  const { batch } = result;
  const isElsewhere =
    ['cart', 'wall', 'slot'].includes(result.result) && batch !== undefined && batch !== state.read?.batch?.id;
  if (state.opening > 0 && !isElsewhere) return withEffects(state, { do: 'later', input: { kind: 'scan', scan } });
  return handleAnswer(state, event, now);
}

/** Opens the cart or wall of a scanned code, unless the person has picked pieces or scanned another one since. */
export function handleFound(state: BatchSession, { scan, carrier, failure }: Of<'found'>): BatchStep {
  const found = { ...state, opening: state.opening - 1 };
  if (failure !== undefined) return sayWrong(found, failure.message);
  if (found.opening > 0) return stay(found);
  if (carrier === undefined) return sayWrong(found, texts.pick.message.noCommand(scan.code));
  if (isHolding(found)) return sayWrong(found, words.hand.fullHands);
  // This cart or wall has a batch that the page does not know yet.
  if (carrier.kind === state.kind && carrier.id === state.carrier?.id)
    return sayWrong(found, words.verify.changed(scan.code));
  return withEffects({ ...found, isLeft: true }, { do: 'open', carrier });
}
