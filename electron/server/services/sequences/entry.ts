import type { Sequence, SequenceProgress, Step, StepChange } from '#shared/api/sequence.ts';
import type { SequenceRow, StepCounts, StepRow } from '../../db/repositories/sequences.ts';
import { isoTime } from '../../domain/station/isoTime.ts';
import { isoOrNull } from '../base/index.ts';

/** Converts a sequence to its API form. `steps` are its steps in order. */
export function sequenceEntry(row: SequenceRow, steps: readonly StepRow[]): Sequence {
  return { ...sequenceFields(row), steps: steps.map(stepEntry) };
}

export function progressEntry(row: SequenceRow, { steps, acknowledged, active, halted }: StepCounts): SequenceProgress {
  return {
    ...sequenceFields(row),
    step_count: steps,
    acknowledged_count: acknowledged,
    active_count: active,
    halted_count: halted,
  };
}

export function stepEntry(step: StepRow): Step {
  const { order, device, location, nonce, content } = step;
  return {
    order,
    ...(device === null ? {} : { device }),
    ...(location === null ? {} : { location }),
    ...content,
    ...(nonce === '' ? {} : { stepnonce: nonce }),
    ...stepChange(step),
  };
}

/** Returns the fields of a step that change while its sequence runs. */
export function stepChange({ state, place, qty, finishedAt, lit }: StepRow): StepChange {
  return {
    state,
    deviceid: state === 'pending' ? null : (lit?.deviceId ?? place?.deviceId ?? null),
    command_id: lit === null ? null : String(lit.commandId),
    qty,
    finished_time: isoOrNull(finishedAt),
  };
}

function sequenceFields({ sequenceId, nonce, state, createdAt, startedAt, completedAt }: SequenceRow) {
  return {
    sequenceid: sequenceId,
    sequencenonce: nonce,
    state,
    created_time: isoTime(createdAt),
    start_time: isoOrNull(startedAt),
    completed_time: isoOrNull(completedAt),
  };
}
