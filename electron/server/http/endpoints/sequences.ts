import { z } from 'zod';
import { faultsOf } from '#shared/api/schemaFaults.ts';
import * as api from '#shared/api/sequence.ts';
import { refuseFaults } from '../../services/commands/index.ts';
import type { GivenSequence, SequenceLists, Sequences } from '../../services/sequences/index.ts';
import { lenientSequence } from '../compat/lenientSequence.ts';
import { anyObject, type Call, endpointsOf, pageBy, type Endpoint } from '../endpoint.ts';
import { readValid, validate } from '../validation.ts';
import { DEVICE, OTHER_DEVICE } from './examples.ts';

const define = endpointsOf('sequences');

const STEPS = [
  { order: 1, device: DEVICE, command: 'flash', line1: 'Cable tie 200', quantity: 2, stepnonce: 'round-7-1' },
  { order: 2, location: 'A-3-3', line1: 'Cable tie 300', quantity: 5, color: 'g', stepnonce: 'round-7-2' },
  { order: 2, device: OTHER_DEVICE, command: 'pick', line1: 'Box 4', seconds: 120, stepnonce: 'round-7-3' },
];

const NO_SEQUENCE = 'There is no such sequence.';

/** Maximum number of faults in one response. All of a thousand steps may have the same fault. */
const MAX_NAMED = 50;

const sequenceParams = z.object({
  seqID: z.string().describe('The sequenceid, percent-encoded: a slash is %2F.').meta({ example: 'round-7' }),
});

const HOW_IT_RUNS = `The steps with the lowest \`order\` start together. Once all of them are acknowledged, the steps with the next \`order\` start. A device with
two of them shows one after the other. Each step causes a callback when it is acknowledged or times out. A sequence with a
\`sequencenonce\` causes an additional callback after its last step.

\`command\` defaults to \`flash\`. If any step is invalid, the whole sequence is refused, and \`errors\` names all faults.
A \`device\` or \`location\` can still be unknown: they are looked up at the launch.`;

type Given = Pick<Call<unknown, unknown, unknown>, 'body' | 'unknown' | 'strict'>;

/** Returns the endpoints for sequences (section 7 of the contract). */
export function sequenceEndpoints({ sequences, lists }: { sequences: Sequences; lists: SequenceLists }): Endpoint[] {
  /** Returns the validated sequence. Throws `invalid` with the faults of every step. */
  function given<T>(schema: z.ZodType<T>, { body, unknown, strict }: Given): GivenSequence<T> {
    const read = lenientSequence(body);
    const faults = faultsOf(schema, read);
    if (faults.length > 0) refuseFaults([...faults, ...sequences.contentFaults(contentsOf(read))].slice(0, MAX_NAMED));
    return { sequence: validate(schema, read, 'body'), unknown, strict };
  }

  return [
    define('listSequences', 'read', 'List the sequences with their steps', {
      description: 'Sorted by `sequenceid`.',
      query: api.sequenceQuerySchema,
      page: pageBy('sequenceid'),
      parameterExamples: { state: 'unstarted', limit: 100, after: 'round-6' },
      tagged: [],
      answer: z.array(api.sequenceSchema),
      handle: ({ query }) => lists.list(query),
    }),
    define('addSequence', 'edit_sequences', 'Create a sequence', {
      description: `Nothing is lit before the sequence is launched.\n\n${HOW_IT_RUNS}`,
      body: anyObject,
      namesUnknown: true,
      documentedBody: api.newSequenceSchema,
      examples: {
        round: {
          summary: 'One step, then two at once',
          value: { sequenceid: 'round-7', sequencenonce: 'round-7-done', steps: STEPS },
        },
      },
      status: 201,
      answer: api.sequenceResultSchema,
      refusals: { 409: 'A sequence with this sequenceid exists.' },
      handle: (call) => sequences.add(given(api.newSequenceSchema, call)),
    }),
    define('getSequence', 'read', 'Get a sequence with its steps', {
      params: sequenceParams,
      answer: api.sequenceSchema,
      refusals: { 404: NO_SEQUENCE },
      handle: ({ params }) => sequences.get(params.seqID),
    }),
    define('replaceSequence', 'edit_sequences', 'Replace the steps of a sequence', {
      description:
        'Without `sequencenonce`, the sequence no longer has one. Its lights turn off without a callback, and it is `unstarted` again.',
      params: sequenceParams,
      body: anyObject,
      namesUnknown: true,
      documentedBody: api.changedSequenceSchema,
      examples: { one: { summary: 'Only the first step', value: { steps: STEPS.slice(0, 1) } } },
      answer: api.sequenceResultSchema,
      refusals: { 404: NO_SEQUENCE },
      handle: (call) => sequences.replace(call.params.seqID, given(api.changedSequenceSchema, call), call.caller.name),
    }),
    define('removeSequence', 'edit_sequences', 'Remove a sequence', {
      description: 'Its lights turn off without a callback.',
      params: sequenceParams,
      refusals: { 404: NO_SEQUENCE },
      handle: ({ params, caller }) => sequences.remove(params.seqID, caller.name),
    }),
    define('launchSequence', 'work', 'Launch a sequence, or continue it', {
      description: `A sequence that is \`unstarted\` or \`completed\` starts from its first steps. One that is \`stalled\` continues: the steps that were not acknowledged are
lit again, and lit steps stay lit. If it is \`in-progress\`, the request has no effect.

All places are looked up before anything is lit. If a step finds no device, returns 409 with the names of these steps, and nothing is lit.
If a step has no color or \`seconds\`, the settings apply.`,
      hasEffect: true,
      params: sequenceParams,
      query: api.launchSequenceQuerySchema,
      parameterExamples: { restart: '0' },
      answer: api.sequenceResultSchema,
      refusals: {
        404: NO_SEQUENCE,
        409: 'A step finds no device, or the queue of its device is full: `errors` names each. Nothing was lit.',
      },
      handle: ({ params, query, caller }) =>
        sequences.launch(params.seqID, { restart: query.restart === '1', by: caller.name }),
    }),
    define('listSequenceProgress', 'read', 'List the progress of the sequences, without their steps', {
      description: 'Sorted by `sequenceid`.',
      namesRevision: true,
      query: api.sequenceQuerySchema,
      page: pageBy('sequenceid'),
      parameterExamples: { state: 'in-progress', limit: 100, after: 'round-6' },
      tagged: [],
      answer: z.array(api.sequenceProgressSchema),
      handle: ({ query }) => lists.listProgress(query),
    }),
  ];
}

/** Returns the readable content of each step, or undefined for a step that is not an object. */
function contentsOf(sequence: unknown): (api.StepContent | undefined)[] {
  const steps: unknown = typeof sequence === 'object' && sequence !== null && 'steps' in sequence ? sequence.steps : [];
  if (!Array.isArray(steps)) return [];
  return steps.slice(0, api.MAX_STEPS).map((step: unknown) => {
    if (typeof step !== 'object' || step === null || Array.isArray(step)) return undefined;
    return readValid(api.stepContentSchema, step).read;
  });
}
