import { z } from 'zod';
import { deviceIdSchema, deviceRequestSchema, givenDeviceIdSchema, MAX_NAME_CHARACTERS } from './device.ts';
import {
  intOrNull,
  named,
  oneOf,
  textOrNull,
  textUpTo,
  timestamp,
  timestampOrNull,
  whole,
  withoutControl,
} from './fields.ts';

/** Maximum number of steps. A longer sequence is probably a mistake in a program. */
export const MAX_STEPS = 1_000;

const name = textUpTo(MAX_NAME_CHARACTERS);

/** Content of a step: screen, light and sound. See the specification, Sequence; the contract, section 7. */
export const stepContentSchema = deviceRequestSchema.omit({
  nonce: true,
  deviceid: true,
  location: true,
  statica: true,
  staticb: true,
  staticc: true,
  staticd: true,
  statice: true,
  locationoverride: true,
  unsolicitedNonce: true,
  brightness: true,
});
export type StepContent = z.infer<typeof stepContentSchema>;

export const newStepSchema = named('NewStep', {
  order: whole(0, 1_000_000_000).describe(
    'Position in the sequence. Steps with the same order start together. Gaps are allowed.',
  ),
  device: givenDeviceIdSchema.optional().describe('The device. Send either device or location.'),
  location: withoutControl(name.min(1))
    .optional()
    .describe(
      'The place, resolved at launch: an alias, label or DeviceID, ignoring case; otherwise the first alias or label that contains the text, with a warning.',
    ),
  ...stepContentSchema.shape,
  stepnonce: name
    .optional()
    .describe('Your reference, returned in the callback of the step. The callback is sent even without a nonce.'),
});
export type NewStep = z.infer<typeof newStepSchema>;

export const newSequenceSchema = named('NewSequence', {
  sequenceid: withoutControl(name.min(1)).describe(
    'Your sequence id, unique among sequences. It also identifies the sequence in paths.',
  ),
  sequencenonce: name
    .optional()
    .describe(
      'Returned in the callback when the last step is acknowledged. Without a nonce, this callback is not sent.',
    ),
  steps: z
    .array(newStepSchema)
    .min(1)
    .max(MAX_STEPS)
    .describe('Steps in any order; `order` determines when each step is lit.'),
});
export type NewSequence = z.infer<typeof newSequenceSchema>;

/** Body of PUT, whose path names the sequence. */
export const changedSequenceSchema = newSequenceSchema.partial({ sequenceid: true }).meta({ id: 'ChangedSequence' });
export type ChangedSequence = z.infer<typeof changedSequenceSchema>;

export const SEQUENCE_STATES = ['unstarted', 'in-progress', 'stalled', 'completed'] as const;
export type SequenceState = (typeof SEQUENCE_STATES)[number];

export const STEP_STATES = ['pending', 'active', 'acknowledged', 'timed_out', 'cancelled'] as const;
export type StepState = (typeof STEP_STATES)[number];

export const stepSchema = newStepSchema
  .extend({
    device: deviceIdSchema.optional(),
    state: oneOf(STEP_STATES).describe(
      'pending: upcoming. active: lit, or waiting behind other work of the device. timed_out, cancelled: the step halts the sequence.',
    ),
    deviceid: deviceIdSchema.nullable().describe('The device on which the step was lit; null before.'),
    command_id: textOrNull.describe(
      'The open command while the step is active; otherwise null. GET /api/history/ has the timeline.',
    ),
    qty: intOrNull.describe('Quantity as in the callback; null before.'),
    finished_time: timestampOrNull,
  })
  .meta({ id: 'Step', description: 'A step as created, with its progress.' });
export type Step = z.infer<typeof stepSchema>;

const sequenceFields = {
  sequenceid: z.string(),
  sequencenonce: z.string(),
  state: oneOf(SEQUENCE_STATES).describe(
    'stalled: a step timed out or was removed; nothing new starts until the sequence is launched again.',
  ),
  created_time: timestamp,
  start_time: timestampOrNull.describe('Time of the last launch from the beginning.'),
  completed_time: timestampOrNull,
};

export const sequenceSchema = named('Sequence', {
  ...sequenceFields,
  steps: z.array(stepSchema).describe('Steps in the order of the request.'),
});
export type Sequence = z.infer<typeof sequenceSchema>;

/** Answer to a request that creates, changes or launches a sequence. */
export const sequenceResultSchema = named('SequenceResult', {
  ...sequenceSchema.shape,
  warnings: z
    .array(z.string())
    .describe(
      'Differences between the request and the display, and possible problems at the launch. Each begins with the step, as a JSON Pointer.',
    ),
});
export type SequenceResult = z.infer<typeof sequenceResultSchema>;

/** Progress of a sequence, without its steps. Also used in facts of the event stream. */
export const sequenceProgressSchema = named('SequenceProgress', {
  ...sequenceFields,
  step_count: z.int().describe('Number of all steps.'),
  acknowledged_count: z.int().describe('Number of acknowledged steps.'),
  active_count: z.int().describe('Number of steps that are lit or waiting behind other work of their device.'),
  halted_count: z.int().describe('Number of steps that timed out or were removed.'),
});
export type SequenceProgress = z.infer<typeof sequenceProgressSchema>;

/** The fields of a step that change while its sequence runs. */
export const stepChangeSchema = stepSchema.pick({
  state: true,
  deviceid: true,
  command_id: true,
  qty: true,
  finished_time: true,
});
export type StepChange = z.infer<typeof stepChangeSchema>;

export const sequenceQuerySchema = z.object({
  state: oneOf(SEQUENCE_STATES).optional().describe('Only sequences in this state.'),
  limit: z.coerce.number().int().min(1).max(10_000).optional().describe('Defaults to all.'),
  after: z.string().optional().describe('Last sequenceid of the previous page.'),
});
export type SequenceQuery = z.infer<typeof sequenceQuerySchema>;

export const launchSequenceQuerySchema = z.object({
  restart: oneOf(['0', '1']).optional().describe('1 restarts the sequence from the beginning, in any state.'),
});
