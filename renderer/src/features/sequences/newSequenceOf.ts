import type { NewSequence, NewStep, Sequence, Step } from '#shared/api/sequence.ts';

/** What makes the same sequence again, before its first step. */
export function newSequenceOf({ sequenceid, sequencenonce, steps }: Sequence): NewSequence {
  return { sequenceid, ...(sequencenonce === '' ? {} : { sequencenonce }), steps: steps.map(newStepOf) };
}

function newStepOf(step: Step): NewStep {
  const {
    state: _state,
    deviceid: _deviceid,
    command_id: _commandId,
    qty: _qty,
    finished_time: _time,
    ...given
  } = step;
  return given;
}
