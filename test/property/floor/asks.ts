import { expect } from 'vitest';
import type { Batch } from '#shared/api/batch.ts';
import type { WorkLine } from '#shared/api/picking.ts';
import type { Movement } from '#shared/api/stock.ts';
import type { Answer } from '../../helpers/startTestStation.ts';
import {
  closeShort,
  type HandAsk,
  handOver,
  type HandOverAsk,
  type Prediction,
  settleHands,
  type ShortAsk,
  type FloorView,
} from './oracle.ts';
import { COLORS, type ModelFloor, live, PEOPLE, REASONS, send, sendAs, sharesOf, sum } from './shop.ts';
import { view } from './view.ts';

/** A request together with its effect according to the contract. */
type Request = {
  /** Name of the sender, or null for a program. */
  person: string | null;
  path: string;
  body: object;
  expected: (view: FloorView) => Prediction;
};

const DOS = ['take', 'missing', 'put_back', 'set_aside'] as const;
const NAMES = ['Anna', 'Ben', 'Cleo'] as const;
const UNKNOWN_ITEM = 99_999;

/** Sends a request whose effect the oracle predicts, sometimes twice, and sometimes at the same time as another person's request. */
export async function ask(floor: ModelFloor): Promise<void> {
  const { random, kept } = floor;
  const batches = await live(floor);
  const chosen = batches[random.below(batches.length)];
  if (chosen === undefined) return;
  const batch = random.chance(0.5) ? await shared(floor, chosen) : chosen;
  const old = kept[random.below(kept.length)];
  if (old !== undefined && random.chance(0.15)) return repeat(floor, batch, old);
  const isHeld = batch.hands.length + batch.scanned.length > 0;
  const likely = batch.pickers.length > 1 ? 'handover' : isHeld ? 'hand' : undefined;
  const kind = likely !== undefined && random.chance(0.6) ? likely : random.one(['hand', 'handover', 'short'] as const);
  const [first, second] = PEOPLE.map((person) => ASKS[kind](floor, batches, batch, random.chance(0.5) ? person : null));
  if (first === undefined || second === undefined) return;
  floor.counts[kind] += 1;
  if (random.chance(0.25)) await askBoth(floor, batch, [first, second]);
  else await askOne(floor, batch, random.chance(0.5) ? first : second, kind);
}

/** Lets other people join a batch that is being picked, so that its lines belong to several people. */
async function shared(floor: ModelFloor, batch: Batch): Promise<Batch> {
  if (batch.state !== 'picking' || batch.pickers.length > 1) return batch;
  for (const picker of PEOPLE) await send(floor, 'POST', `/api/batches/${batch.id}/join/`, { picker });
  return floor.station.get<Batch>(`/api/batches/${batch.id}/`);
}

const ASKS = {
  hand({ random }: ModelFloor, _: readonly Batch[], batch: Batch, person: string | null): Request {
    const who = person ?? random.one(PEOPLE);
    const action = random.one(DOS);
    const body: HandAsk = random.chance(0.15)
      ? { by: 'Nobody', do: action }
      : { all: true, do: action, ...(random.chance(0.2) ? { by: random.one(NAMES) } : {}) };
    return {
      ...request(person, batch, 'hand/', { ...body, ...(person === null ? { picker: who } : {}) }),
      expected: (view) => settleHands(view, body, who),
    };
  },
  handover({ random }: ModelFloor, _: readonly Batch[], batch: Batch, person: string | null): Request {
    const picker = random.chance(0.05) ? 'Nobody' : random.one(NAMES);
    const [first = 'Anna', ...others] = batch.pickers.map(({ name }) => name);
    const from = random.chance(0.7) ? random.one([first, ...others]) : random.one(NAMES);
    const body: HandOverAsk = random.chance(0.7) ? { picker, from } : { picker };
    return { ...request(person, batch, 'handover/', body), expected: (view) => handOver(view, body, person) };
  },
  short({ random }: ModelFloor, batches: readonly Batch[], batch: Batch, person: string | null): Request {
    const own = sharesOf(batch).filter(({ state }) => state !== 'stopped');
    const items = own.map(({ item_id: id }) => id).filter(() => random.chance(0.25));
    if (items.length === 0 || random.chance(0.1)) items.push(foreignItem(batches, batch) ?? UNKNOWN_ITEM);
    const body: ShortAsk = { items, reason: random.chance(0.05) ? 'no such reason' : random.one(REASONS) };
    return { ...request(person, batch, 'short/', body), expected: (view) => closeShort(view, body, REASONS) };
  },
};

/** Finds an item in a different batch. */
function foreignItem(batches: readonly Batch[], { id }: Batch): number | undefined {
  return batches
    .filter((batch) => batch.id !== id)
    .flatMap(sharesOf)
    .find(({ state }) => state !== 'stopped')?.item_id;
}

const request = (person: string | null, { id }: Batch, path: string, body: object) => ({
  person,
  path: `/api/batches/${id}/${path}`,
  body,
});

async function askOne(floor: ModelFloor, batch: Batch, asked: Request, kind: keyof typeof ASKS): Promise<void> {
  const { random, counts, kept, done } = floor;
  const keyed = { ...asked, body: { ...asked.body, key: `ask ${done.length}` } };
  const before = await view(floor, batch.id);
  const lastMovement = Math.max(0, ...(await movements(floor)).map(({ movement_id: id }) => id));
  const isTwice = random.chance(0.2);
  const answers = await Promise.all((isTwice ? [keyed, keyed] : [keyed]).map((each) => sendAs(floor, each)));
  record(floor, keyed, answers);
  const after = await view(floor, batch.id);
  const [answer] = answers;
  if (answer === undefined) return;
  expectOneOf([answer], after, [[asked.expected(before)]], keyed.path);
  if (answer.status >= 400) counts.refused += 1;
  const hasChanged = JSON.stringify(before) !== JSON.stringify(after);
  if (hasChanged && isTwice) expect(answers[1]?.body, 'the same request at once').toEqual(answer.body);
  if (hasChanged) {
    kept.push({ ...keyed, answer });
    if (random.chance(0.3)) await repeat(floor, batch, { ...keyed, answer });
  }
  if (kind === 'hand' && (asked.body as HandAsk).do === 'missing') await checkLost(floor, before, after, lastMovement);
  if (kind === 'handover' && answer.status === 200 && before.pickers.length > 1) counts.given += 1;
  if (kind === 'handover' && answer.status === 200) await checkColors(floor, batch, asked.body as HandOverAsk);
  await floor.station.clock.advance(400);
}

/** Sends two requests at the same moment. Either one may take effect first. */
async function askBoth(floor: ModelFloor, batch: Batch, asked: readonly [Request, Request]): Promise<void> {
  const before = await view(floor, batch.id);
  const answers = await Promise.all(asked.map((each) => sendAs(floor, each)));
  for (const [index, each] of asked.entries()) record(floor, each, answers.slice(index, index + 1));
  const after = await view(floor, batch.id);
  const [one, other] = asked;
  const first = one.expected(before);
  const last = other.expected(before);
  expectOneOf(
    answers,
    after,
    [
      [first, other.expected(first.view)],
      [one.expected(last.view), last],
    ],
    `two people at ${one.path}`,
    // In each order, the index of the prediction that took effect last.
    [1, 0],
  );
  floor.counts.both += 1;
  await floor.station.clock.advance(400);
}

function record(
  { done }: ModelFloor,
  { person, path, body }: Pick<Request, 'person' | 'path' | 'body'>,
  answers: Answer[],
) {
  const statuses = answers.map(({ status }) => status).join(' and ');
  done.push(`${person ?? 'a program'}: POST ${path} ${JSON.stringify(body)}: ${statuses}`);
}

/** Repeats a request with its key: it must change nothing and get the first answer. A different request with this key must be refused. */
async function repeat(
  floor: ModelFloor,
  batch: Batch,
  { answer, ...asked }: ModelFloor['kept'][number],
): Promise<void> {
  const { id } = batch;
  const before = await view(floor, id);
  const again = await sendAs(floor, asked);
  record(floor, asked, [again]);
  expect([again.status, again.body], 'the same key').toEqual([answer.status, answer.body]);
  const other = await sendAs(floor, { ...asked, body: { ...asked.body, picker: 'Nobody' } });
  expect([400, 403, 409], 'another request with the same key').toContain(other.status);
  expect(await view(floor, id), 'after a repetition').toEqual(before);
  floor.counts.repeated += 1;
}

/** Checks that the answers and the view match one of the possible courses of events. Otherwise fails with the difference from the first. */
function expectOneOf(
  answers: readonly Answer[],
  after: FloorView,
  courses: readonly (readonly Prediction[])[],
  what: string,
  lastOf: readonly number[] = [0],
): void {
  // A warning names articles, which several items have, so only check whether there is one.
  const seen = (unsure: readonly number[][]) => ({
    answers: answers.map(({ status, body }, index) => ({
      status,
      warned: isWarned(body),
      unsure: unsure[index] ?? [],
    })),
    view: after,
  });
  const pairs = courses.map((course, index) => {
    const actual = seen(course.map(({ unsure }) => unsure));
    const last = course[lastOf[index] ?? 0]?.view ?? after;
    const expected = {
      answers: course.map(({ status, warned, unsure }, at) => {
        const isExpected = warned === true || (warned !== false && warned.length > 0);
        const own = actual.answers[at]?.warned ?? false;
        return { status, warned: isExpected || (unsure.length > 0 && own), unsure };
      }),
      view: { ...last, settled: [], isSorting: after.isSorting, whose: withNew(last, after) },
    };
    return { actual, expected };
  });
  for (const { actual, expected } of pairs)
    if (JSON.stringify(sorted(actual)) === JSON.stringify(sorted(expected))) return;
  const [first] = pairs;
  expect(first?.actual, what).toEqual(first?.expected);
}

const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sorted)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .toSorted(([one], [other]) => one.localeCompare(other))
            .map(([key, each]) => [key, sorted(each)]),
        )
      : value;

/** Returns who has the lines that are now open: the same people as before, or the batch's picker if the line is new. */
function withNew({ whose, pickers }: FloorView, after: FloorView): FloorView['whose'] {
  return Object.fromEntries(Object.keys(after.whose).map((item) => [item, whose[item] ?? [pickers[0] ?? null]]));
}

function isWarned(body: unknown): boolean {
  const { warnings = [] } = (body ?? {}) as { warnings?: string[] };
  return warnings.length > 0;
}

const movements = ({ station }: ModelFloor): Promise<Movement[]> =>
  station.get<Movement[]>('/api/movements/?limit=1000');

/** Checks that lost pieces are subtracted from the order (`pick`) and from the stock (`adjust`). */
async function checkLost(floor: ModelFloor, before: FloorView, after: FloorView, last: number): Promise<void> {
  const made = (await movements(floor)).filter(({ movement_id: id }) => id > last);
  const pieces = sum(Object.values(before.hands)) - sum(Object.values(after.hands));
  const total = (kind: string): number => sum(made.filter((each) => each.kind === kind).map(({ delta }) => delta));
  expect([total('pick'), total('adjust')], 'movements of lost pieces').toEqual([pieces, pieces === 0 ? 0 : -pieces]);
}

/** Checks that lines that were handed over are lit in the new person's color. */
async function checkColors({ station }: ModelFloor, { id }: Batch, { picker }: HandOverAsk): Promise<void> {
  const lines = await station.get<WorkLine[]>(`/api/work/?batch=${id}`);
  for (const line of lines)
    if (line.light && line.picker === picker)
      expect(line.color, `color of ${picker} at ${line.location}`).toBe(COLORS[picker as keyof typeof COLORS]);
}
