import { expect, test } from 'vitest';
import type { Sequence, SequenceProgress, StepChange } from '#shared/api/sequence.ts';
import type { Fact } from '#shared/api/station.ts';
import { openStream } from '../../helpers/servers/eventStream.ts';
import { FOUR, ONE, THREE, TWO, useSequences } from './sequenceRig.ts';

const shop = useSequences();

/** Follows a sequence as a reader of the stream does: keeps its progress, and applies step changes to the steps that were last read. */
class Follower {
  progress: SequenceProgress | undefined;
  steps: StepChange[] = [];
  /** Whether the steps must be read again. */
  isStale = false;

  apply(fact: Fact): void {
    if (fact.type === 'sequence.changed') {
      this.progress = fact.sequence;
      this.isStale ||= fact.read_anew;
    } else if (fact.type === 'sequence.removed') this.progress = undefined;
    else if (fact.type === 'sequence.step') this.steps[fact.index] = fact.step;
  }

  read({ steps }: Sequence): void {
    this.steps = steps.map(({ state, deviceid, command_id, qty, finished_time }) => ({
      state,
      deviceid,
      command_id,
      qty,
      finished_time,
    }));
    this.isStale = false;
  }
}

test('the event stream and the API report the same state of every step', async () => {
  const stream = await openStream(shop.station.url);
  await stream.until(() => stream.text() !== '');
  const follower = new Follower();
  let seen = 0;
  let reads = 0;
  const compare = async (about: string): Promise<void> => {
    await shop.station.clock.advance(1_000);
    const progress = await shop.progress();
    const { revision } = await shop.station.get<{ revision: number }>('/api/station/');
    await stream.until(() => (stream.commits().at(-1)?.id ?? 0) >= revision);
    for (const { facts } of stream.commits().slice(seen)) for (const fact of facts) follower.apply(fact);
    seen = stream.commits().length;
    expect(follower.progress, about).toEqual(progress);
    if (progress === undefined) return;
    const now = await shop.get();
    if (follower.isStale) {
      follower.read(now);
      reads += 1;
    }
    const told = new Follower();
    told.read(now);
    expect(follower.steps, about).toEqual(told.steps);
  };
  const steps = [
    { order: 1, device: ONE, line1: 'a', quantity: 3, seconds: 20 },
    { order: 1, device: TWO, line1: 'b', quantity: 3, seconds: 500 },
    { order: 2, device: THREE, line1: 'c' },
  ];
  await shop.create(steps);
  await compare('created');
  await shop.launch();
  await compare('launched');
  const { command_id } = await shop.step(1);
  await shop.station.post(`/api/device/${TWO}/adjust/`, { command_id, quantity: 2 });
  await compare('adjusted in the window');
  expect((await shop.step(1)).command_id).not.toBe(command_id);
  await shop.station.post(`/api/device/${TWO}/replace/`, { deviceid: FOUR });
  await compare('another device took over');
  await shop.press(FOUR);
  await compare('acknowledged');
  await shop.station.clock.advance(30_000);
  await compare('timed out');
  await shop.launch();
  await compare('relaunched');
  await shop.press(ONE);
  await compare('the next group');
  await shop.station.post(`/api/device/${THREE}/`, { command: 'kill' });
  await compare('killed');
  await shop.launch();
  await compare('relaunched again');
  await shop.press(THREE);
  await compare('completed');
  await shop.launch();
  await compare('launched anew');
  await shop.launch('?restart=1');
  await compare('restarted');
  await shop.station.request('PUT', shop.path(), { steps: steps.slice(1) });
  await compare('other steps');
  expect(reads).toBe(4);
  await shop.station.request('DELETE', shop.path());
  await compare('removed');
  stream.close();
});
