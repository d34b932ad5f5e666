import { cartPick as words } from '../../../words/cartPick.ts';
import { BigButton } from '../BigButton.tsx';
import { Stage } from './BatchStage.tsx';
import { SlotGrid } from './SlotGrid.tsx';
import { useGrid } from './useGrid.ts';
import type { BatchQuestion } from './batchTypes.ts';
import type { OpenBatch } from './useBatch.ts';

type Props = { mode: OpenBatch; question: Extract<BatchQuestion, { kind: 'slots' | 'move' }> };

/** Asks the person to touch a slot in the drawing of the cart. */
export function ChooseSlot({ mode, question }: Props) {
  const grid = useGrid(mode);
  const { touch } = mode;
  const title = question.kind === 'move' ? words.slotDialog.moveTitle(question.slot) : words.slotDialog.title;
  return (
    <Stage
      title={title}
      buttons={<BigButton onPress={() => touch({ touch: 'close' })}>{words.slotDialog.back}</BigButton>}
    >
      <SlotGrid {...grid} isRefused={mode.isRefused} touch={(slot) => touch({ touch: 'slot', slot })} />
    </Stage>
  );
}
