import type { NewSequence, Sequence } from '#shared/api/sequence.ts';
import { WORDS, type AskContent } from './asks.ts';
import { find, SENDER } from './naming.ts';
import type { End, Follows, Oracle } from './oracle.ts';
import type { Moment } from './reports.ts';
import { linesOf, nothing, type ModelCommand, type ModelDevice, type ReceivedFields } from './state.ts';

type Given = NewSequence['steps'][number];

export type ModelStep = {
  of: ModelSequence;
  given: Given;
  state: Sequence['steps'][number]['state'];
  /** The device found by the last launch. */
  deviceId: string | null;
  qty: number | null;
  finishedAt: number | null;
  command: ModelCommand | null;
};

export type ModelSequence = {
  id: string;
  nonce: string;
  state: Sequence['state'];
  createdAt: number;
  startedAt: number | null;
  completedAt: number | null;
  steps: ModelStep[];
};

type Turn = {
  kind: string;
  at: number;
  deviceId?: string;
  location?: string;
  by?: string;
  callbacks?: ReceivedFields[];
};

const STEP_ENDS = { acknowledged: 'acknowledged', timedOut: 'timed_out', killed: 'cancelled' } as const;

/** Sequences (contract, section 7). */
export class ModelSequences {
  readonly all = new Map<string, ModelSequence>();
  private readonly oracle: Oracle;

  constructor(oracle: Oracle) {
    this.oracle = oracle;
  }

  /** Creates a sequence. Like the methods below, returns the status. */
  create(id: string, { sequencenonce = '', steps }: NewSequence, { wallMs }: Moment): number {
    if (this.all.has(id)) return 409;
    const times = { createdAt: wallMs, startedAt: null, completedAt: null };
    const sequence: ModelSequence = { id, nonce: sequencenonce, state: 'unstarted', ...times, steps: [] };
    sequence.steps = steps.map((given) => newStep(sequence, given));
    this.all.set(id, sequence);
    return 201;
  }

  change(id: string, { sequencenonce = '', steps }: NewSequence, now: Moment): number {
    const sequence = this.all.get(id);
    if (sequence === undefined) return 404;
    this.takeBack(sequence, now);
    sequence.nonce = sequencenonce;
    sequence.steps = steps.map((given) => newStep(sequence, given));
    return 200;
  }

  remove(id: string, now: Moment): number {
    const sequence = this.all.get(id);
    if (sequence === undefined) return 404;
    this.takeBack(sequence, now);
    this.all.delete(id);
    return 204;
  }

  launch(id: string, restart: boolean, now: Moment): number {
    const sequence = this.all.get(id);
    if (sequence === undefined) return 404;
    if (sequence.state === 'in-progress' && !restart) return 200;
    const isAnew = restart || sequence.state !== 'stalled';
    const searched = sequence.steps.filter(({ state }) => isAnew || (state !== 'active' && state !== 'acknowledged'));
    const places = searched.map(({ given }) => find(this.oracle, given.device, given.location));
    if (places.includes(undefined)) return 409;
    if (isAnew && restart) this.takeBack(sequence, now);
    if (isAnew) for (const step of sequence.steps) Object.assign(step, fresh());
    for (const [index, step] of searched.entries()) step.deviceId = places[index]?.id ?? null;
    if (isAnew) sequence.startedAt = now.wallMs;
    sequence.completedAt = null;
    const kind = isAnew ? 'sequence_launched' : 'sequence_relaunched';
    this.tell(sequence, { kind, at: now.wallMs, by: SENDER });
    sequence.state = 'in-progress';
    if (isAnew) this.startGroup(sequence, now);
    else for (const step of searched) if (step.state !== 'pending') this.light(step, now);
    return 200;
  }

  /** Must be called when a step's command has ended. Returns the expected callbacks and the action that follows. */
  ended(step: ModelStep, device: ModelDevice, end: End, now: Moment): Follows {
    const { of: sequence } = step;
    const state = STEP_ENDS[end.kind];
    const qty = end.kind === 'killed' ? null : end.qty;
    Object.assign(step, { state, qty, finishedAt: end.at, deviceId: device.id, command: null });
    const acknack = state === 'acknowledged' ? 'ack' : 'nack';
    const isOwed = end.told && end.kind !== 'killed' && this.oracle.tells('sequence');
    const nonce = step.given.stepnonce ?? '';
    const callback = { acknack, deviceid: device.id, location: device.label, nonce, qty: end.qty };
    return {
      callbacks: isOwed ? [callback] : [],
      next: this.turn(sequence, step, { at: end.at, deviceId: device.id, location: device.label }, now),
    };
  }

  private turn(sequence: ModelSequence, step: ModelStep, turn: Omit<Turn, 'kind'>, now: Moment): () => void {
    if (sequence.state !== 'in-progress') return nothing;
    if (step.state !== 'acknowledged') {
      sequence.state = 'stalled';
      return () => this.tell(sequence, { kind: 'sequence_stalled', ...turn });
    }
    const isDone = ({ given, state }: ModelStep) => given.order !== step.given.order || state === 'acknowledged';
    if (!sequence.steps.every(isDone)) return nothing;
    if (sequence.steps.some(({ state }) => state === 'pending')) return () => this.startGroup(sequence, now);
    sequence.state = 'completed';
    sequence.completedAt = turn.at;
    return () => this.complete(sequence, turn.at);
  }

  private complete(sequence: ModelSequence, at: number): void {
    const { id: deviceid, nonce } = sequence;
    const isOwed = nonce !== '' && this.oracle.tells('sequence');
    const callbacks = isOwed ? [{ acknack: 'ack', deviceid, location: '', nonce, qty: 0 }] : [];
    this.tell(sequence, { kind: 'sequence_completed', at, callbacks });
  }

  private startGroup({ steps }: ModelSequence, now: Moment): void {
    const pending = steps.filter(({ state }) => state === 'pending');
    const order = Math.min(...pending.map(({ given }) => given.order));
    for (const step of pending) if (step.given.order === order) this.light(step, now);
  }

  private light(step: ModelStep, now: Moment): void {
    const { settings } = this.oracle;
    const { given, deviceId } = step;
    const content: AskContent = {
      target: 'device',
      address: 'device',
      nonce: given.stepnonce ?? '',
      word: given.command === undefined || WORDS[given.command] === 'flash' ? 'flash' : 'pick',
      lines: linesOf(given),
      barcode: '',
      quantity: given.quantity ?? null,
      color: given.color ?? settings.color,
      seconds: given.seconds ?? settings.seconds,
    };
    Object.assign(step, { state: 'active', qty: null, finishedAt: null });
    step.command = this.oracle.light(this.oracle.device(deviceId ?? ''), { kind: 'step', step }, content, now);
  }

  /** Withdraws all lit commands and resets the sequence to the state before its launch. */
  private takeBack(sequence: ModelSequence, now: Moment): void {
    for (const { command, deviceId } of sequence.steps.toReversed()) {
      if (command !== null) this.oracle.withdraw(this.oracle.device(deviceId ?? ''), command, SENDER, now);
    }
    if (sequence.state === 'in-progress' || sequence.state === 'stalled') {
      this.tell(sequence, { kind: 'sequence_cancelled', at: now.wallMs, by: SENDER });
    }
    for (const step of sequence.steps) Object.assign(step, fresh());
    Object.assign(sequence, { state: 'unstarted', startedAt: null, completedAt: null });
  }

  private tell({ id, nonce }: ModelSequence, turn: Turn): void {
    const { kind, at, by, deviceId = '', location = '', callbacks = [] } = turn;
    const who = by === undefined ? {} : { by };
    const row = { kind, deviceId, commandId: null, nonce, location, qty: 0, at, work: `sequence:${id}`, callbacks };
    this.oracle.expect({ ...row, ...who });
  }
}

/** Returns a sequence as `GET /api/sequence/` does. */
export function answerOfSequence(sequence: ModelSequence): object {
  const { id, nonce, state, createdAt, startedAt, completedAt, steps } = sequence;
  return {
    sequenceid: id,
    sequencenonce: nonce,
    state,
    created_time: iso(createdAt),
    start_time: iso(startedAt),
    completed_time: iso(completedAt),
    steps: steps.map(({ given, state, deviceId, command, qty, finishedAt }) => ({
      ...given,
      state,
      deviceid: state === 'pending' ? null : deviceId,
      command_id: command === null ? null : String(command.id),
      qty,
      finished_time: iso(finishedAt),
    })),
  };
}

/** Checks that no step is lit before all steps of lower order are acknowledged. */
export function checkGroups({ sequenceid, steps }: Sequence): void {
  for (const { order, state } of steps) {
    if (state === 'pending') continue;
    if (steps.every((before) => before.order >= order || before.state === 'acknowledged')) continue;
    throw new Error(`A step of order ${order} of ${sequenceid} is ${state} before its turn: ${JSON.stringify(steps)}`);
  }
}

function newStep(of: ModelSequence, given: Given): ModelStep {
  return { of, given, ...fresh() };
}

function fresh(): Omit<ModelStep, 'of' | 'given'> {
  return { state: 'pending', deviceId: null, qty: null, finishedAt: null, command: null };
}

function iso(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
