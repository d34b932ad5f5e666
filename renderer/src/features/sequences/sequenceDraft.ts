import type { NewSequence, NewStep, Sequence, Step } from '#shared/api/sequence.ts';
import { DEVICE_ID } from '#shared/lib/devices/deviceLimits.ts';
import type { FieldMessages } from '../../kit/field/fieldProblems.ts';
import { readWhole } from '../../kit/field/readWhole.ts';
import * as texts from '../../words/texts.ts';

const words = texts.sequences.form;

/** The form fields of a step. `rest` has the step's other fields, which the form does not change. */
export type StepDraft = {
  id: number;
  order: string;
  place: string;
  line1: string;
  line2: string;
  quantity: string;
  color: string;
  seconds: string;
  rest: Partial<NewStep>;
};

export type SequenceDraft = { sequenceid: string; nonce: string; steps: readonly StepDraft[] };

export const NO_STEP = {
  order: '1',
  place: '',
  line1: '',
  line2: '',
  quantity: '',
  color: '',
  seconds: '',
  rest: {},
} as const;

export const NEW_SEQUENCE: SequenceDraft = { sequenceid: '', nonce: '', steps: [{ id: 1, ...NO_STEP }] };

/** Returns the form values for a sequence. */
export function draftOf({ sequenceid, sequencenonce = '', steps }: NewSequence): SequenceDraft {
  return { sequenceid, nonce: sequencenonce, steps: steps.map((step, index) => stepDraftOf(step, index + 1)) };
}

function stepDraftOf(step: NewStep, id: number): StepDraft {
  const { order, device, location, line1, line2, quantity, color, seconds, ...rest } = step;
  const text = (value: string | number | null | undefined) => String(value ?? '');
  return {
    id,
    order: text(order),
    place: text(location ?? device),
    line1: text(line1),
    line2: text(line2),
    quantity: text(quantity),
    color: text(color),
    seconds: text(seconds),
    rest,
  };
}

/** Returns the problems of the draft by form field. */
export function sequenceProblems({ sequenceid, steps }: SequenceDraft): FieldMessages {
  const problems: Record<string, string> = {};
  if (sequenceid.trim() === '') problems['sequenceid'] = words.noId;
  for (const { id, order, place, quantity, seconds } of steps) {
    if (readWhole(order) === undefined) problems[`order ${id}`] = words.badNumber;
    if (place.trim() === '') problems[`place ${id}`] = words.noPlace;
    if (quantity.trim() !== '' && readWhole(quantity) === undefined) problems[`quantity ${id}`] = words.badNumber;
    if (seconds.trim() !== '' && readWhole(seconds) === undefined) problems[`seconds ${id}`] = words.badNumber;
  }
  return problems;
}

/**
 * Returns the typed sequence. Omits a quantity or a number of seconds that is not a number, and replaces such an order
 * by 0.
 */
export function draftedSequence({ sequenceid, nonce, steps }: SequenceDraft): NewSequence {
  return {
    sequenceid: sequenceid.trim(),
    ...(nonce.trim() === '' ? {} : { sequencenonce: nonce.trim() }),
    steps: steps.map(draftedStep),
  };
}

function draftedStep({ order, place, line1, line2, quantity, color, seconds, rest }: StepDraft): NewStep {
  const where = place.trim();
  const count = readWhole(quantity);
  const time = readWhole(seconds);
  return {
    order: readWhole(order) ?? 0,
    ...(DEVICE_ID.test(where) ? { device: where.toUpperCase() } : { location: where }),
    ...rest,
    ...(line1 === '' ? {} : { line1 }),
    ...(line2 === '' ? {} : { line2 }),
    ...(count === undefined ? {} : { quantity: count }),
    ...(color.trim() === '' ? {} : { color: color.trim() }),
    ...(time === undefined ? {} : { seconds: time }),
  };
}

export type ReadJson = { ok: true; sequence: NewSequence } | { ok: false; message: string };

/** Parses a sequence in JSON and checks its structure. The station validates the fields. */
export function readSequenceJson(text: string): ReadJson {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch (error) {
    return { ok: false, message: words.badJson(error instanceof Error ? error.message : '') };
  }
  if (typeof read !== 'object' || read === null || Array.isArray(read)) {
    return { ok: false, message: words.badShape('', words.notObject) };
  }
  const { sequenceid, steps } = read as Partial<Record<'sequenceid' | 'steps', unknown>>;
  if (typeof sequenceid !== 'string' || sequenceid.trim() === '') {
    return { ok: false, message: words.badShape('sequenceid', words.noId) };
  }
  if (!Array.isArray(steps) || steps.length === 0)
    return { ok: false, message: words.badShape('steps', words.noSteps) };
  const wrong = steps.findIndex((step) => typeof step !== 'object' || step === null || Array.isArray(step));
  if (wrong >= 0) return { ok: false, message: words.badShape(`steps/${wrong}`, words.notObject) };
  // Sufficient for the form; the station validates the rest.
  return { ok: true, sequence: read as NewSequence };
}

/** Returns the request that creates the sequence again, with no step started. */
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
