import { act, fireEvent, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { Timeline } from '#shared/api/history.ts';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import { takeSnapshot } from '../../../renderer/src/station/live/store.ts';
import { AT } from '../../helpers/snapshots.ts';
import { station } from '../support.tsx';
import {
  DEVICES,
  ONE,
  openWork,
  press,
  rowsShown,
  sequence,
  sequenceProgress,
  step,
  TWO,
  type,
} from './workSupport.tsx';

const LIST = [
  sequenceProgress('kit 1', { state: 'completed', acknowledged_count: 3, start_time: AT }),
  sequenceProgress('kit 2', {
    state: 'stalled',
    acknowledged_count: 1,
    halted_count: 1,
    active_count: 1,
    start_time: AT,
  }),
  sequenceProgress('kit 3'),
];
const loadSequences = () => Promise.resolve(LIST);
const HALTED = sequence(
  'kit 2',
  [
    step(1, { state: 'acknowledged', deviceid: ONE, qty: 2, finished_time: AT }),
    step(2, { location: 'A-1', state: 'active', deviceid: ONE, command_id: 'c1' }),
    step(2, { location: 'A-2', state: 'timed_out', deviceid: TWO, finished_time: AT }),
    step(5),
  ],
  { state: 'stalled', start_time: AT },
);
const getSequence = () => Promise.resolve(HALTED);
const path = '/connections/sequences/kit%202';

test('lists sequences with their state, stalled ones first, and follows events', async () => {
  const { tell } = await openWork('sequences', { loadSequences });
  expect(rowsShown().map((row) => /^kit \d/.exec(row)?.[0])).toEqual(['kit 2', 'kit 3', 'kit 1']);
  expect(rowsShown()[0]).toMatch(/Stalled1 of 3 steps done1 lit, 1 not done/);
  await tell(
    { type: 'sequence.changed', sequence: sequenceProgress('kit 4', { state: 'in-progress' }), read_anew: true },
    { type: 'sequence.removed', sequenceid: 'kit 1' },
  );
  expect(rowsShown().map((row) => /^kit \d/.exec(row)?.[0])).toEqual(['kit 2', 'kit 4', 'kit 3']);
});

test('ignores an answer that is older than the newest snapshot', async () => {
  const first = Promise.withResolvers<typeof LIST>();
  const ask = vi.fn(() => first.promise);
  const { context } = await openWork('sequences', { loadSequences: ask });
  ask.mockImplementation(() => Promise.resolve([sequenceProgress('kit 9')]));
  await act(async () => takeSnapshot(context.store, { station: station(...DEVICES), clockSkewMs: 0 }));
  await act(async () => first.resolve(LIST));
  expect(rowsShown()).toEqual([expect.stringMatching(/^kit 9/)]);
});

test('groups the steps, and shows which step stalled the sequence, why, and what to do', async () => {
  await openWork('sequences', { getSequence }, { path });
  const groups = within(screen.getByRole('list', { name: 'Steps of sequence kit 2' })).getAllByRole('heading');
  expect(groups.map((heading) => heading.parentElement?.textContent)).toEqual([
    '1Group 1Done',
    '2Group 2Stalled here2 steps together',
    '3Group 3Upcoming',
  ]);
  const halt = screen.getByRole('region', { name: 'Stalled' }).textContent;
  expect(halt).toMatch(/^A-2 timed out\. A-1 can still be acknowledged\./);
  expect(halt).toMatch(/continue/);
  expect(screen.getByRole('link', { name: 'History' }).getAttribute('href')).toBe(
    '/history?range=all&sequence=kit%202',
  );
});

test('“Continue” resumes the sequence, and “Restart” asks for confirmation', async () => {
  const launchSequence = vi.fn(getSequence);
  await openWork('sequences', { getSequence, launchSequence }, { path });
  await press('Continue');
  expect(launchSequence).toHaveBeenLastCalledWith({ path: { seqID: 'kit 2' }, query: {} });
  await press('More for kit 2');
  await press('Restart from the beginning', 'menuitem');
  expect(launchSequence).toHaveBeenCalledTimes(1);
  expect(screen.getByRole('alertdialog', { name: 'Restart kit 2?' })).toBeDefined();
  await press('Restart');
  expect(launchSequence).toHaveBeenLastCalledWith({ path: { seqID: 'kit 2' }, query: { restart: '1' } });
});

test("shows the station's message if a place has no device", async () => {
  const launchSequence = () => Promise.reject(new ApiError('conflict', 'Step 4: no device for A-5.'));
  await openWork('sequences', { getSequence, launchSequence }, { path });
  await press('Continue');
  expect(screen.getByText('Sequence kit 2 was not launched. Step 4: no device for A-5.')).toBeDefined();
});

test('a lit step explains why it is lit', async () => {
  const getTimeline = vi.fn(() => Promise.reject<Timeline>(new ApiError('not_found', 'No such command.')));
  await openWork('sequences', { getSequence, getTimeline }, { path });
  await press('Why is Step 2 lit?');
  expect(getTimeline).toHaveBeenCalledWith({ path: { command_id: 'c1' } });
});

test('follows the events of its steps without reloading', async () => {
  const load = vi.fn(getSequence);
  const { tell } = await openWork('sequences', { getSequence: load }, { path });
  const done = { state: 'acknowledged', deviceid: TWO, command_id: null, qty: 0, finished_time: AT } as const;
  await tell(
    ...[1, 2, 3].map((index) => ({ type: 'sequence.step', sequenceid: 'kit 2', index, step: done }) as const),
    {
      type: 'sequence.changed',
      sequence: sequenceProgress('kit 2', { state: 'completed', completed_time: AT, step_count: 4 }),
      read_anew: false,
    },
  );
  expect(screen.queryByRole('region', { name: 'Stalled' })).toBeNull();
  expect(screen.getByText('4 of 4 steps done')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Launch again' })).toBeDefined();
  expect(load).toHaveBeenCalledTimes(1);
});

test('reloads when its steps are replaced', async () => {
  let known = HALTED;
  const { tell } = await openWork('sequences', { getSequence: () => Promise.resolve(known) }, { path });
  known = sequence('kit 2', [step(1, { line1: 'Something else' })]);
  await tell({ type: 'sequence.changed', sequence: sequenceProgress('kit 2', { step_count: 1 }), read_anew: true });
  expect(screen.getByText('Something else')).toBeDefined();
});

test('without sequences, can create an example with existing places', async () => {
  const addSequence = vi.fn(() => Promise.resolve(sequence('Example', [step(1)])));
  await openWork('sequences', { loadSequences: () => Promise.resolve([]), addSequence });
  await press('Create an example');
  expect(addSequence).toHaveBeenCalledWith({
    body: expect.objectContaining({
      sequenceid: 'Example',
      steps: [
        expect.objectContaining({ order: 1, location: 'A-1', line1: 'Take the box' }),
        expect.objectContaining({ order: 2, location: 'A-2', line1: 'Fill it' }),
      ],
    }),
  });
});

test('creates a sequence of groups and places from the form, and reports missing input at its field', async () => {
  const addSequence = vi.fn(() => Promise.resolve(sequence('kit 9', [step(1)])));
  await openWork('sequences', { loadSequences, addSequence }, { path: '/connections/sequences?view=new' });
  await press('Create sequence');
  expect(screen.getByText('Enter a name.')).toBeDefined();
  expect(screen.getByText('Enter a place.')).toBeDefined();
  await type(/^Name/, 'kit 9');
  await type('Place or DeviceID', 'A-2', 'combobox');
  await type(/^Text$/, 'Fill it');
  await press('Add a step to the last group');
  await press('Add a step');
  const places = screen.getAllByRole('combobox', { name: 'Place or DeviceID' });
  await act(async () => {
    fireEvent.change(places[1] ?? document.body, { target: { value: '51d000:000001' } });
    fireEvent.change(places[2] ?? document.body, { target: { value: 'Dock' } });
  });
  await press('Create sequence');
  expect(addSequence).toHaveBeenCalledWith({
    body: {
      sequenceid: 'kit 9',
      steps: [
        { order: 1, location: 'A-2', line1: 'Fill it' },
        { order: 1, device: ONE },
        { order: 2, location: 'Dock' },
      ],
    },
  });
});

test('keeps fields that the form does not contain, and can edit them as JSON', async () => {
  const rich = sequence('kit 2', [step(1, { arrow: 'left', stepnonce: 'n1', seconds: 90 })], { sequencenonce: 'all' });
  const replaceSequence = vi.fn(() => Promise.resolve(rich));
  await openWork(
    'sequences',
    { getSequence: () => Promise.resolve(rich), replaceSequence },
    { path: `${path}?view=edit` },
  );
  expect(screen.getByText('Also: arrow, stepnonce. Edit these as JSON.')).toBeDefined();
  await press('JSON', 'radio');
  const json = screen.getByRole('textbox', { name: /^The sequence as JSON/ }) as HTMLTextAreaElement;
  expect(JSON.parse(json.value)).toEqual({
    sequenceid: 'kit 2',
    sequencenonce: 'all',
    steps: [{ order: 1, location: 'A-1', arrow: 'left', stepnonce: 'n1', line1: 'Do 1', seconds: 90 }],
  });
  await type(/^The sequence as JSON/, '{ nonsense');
  await press('Save');
  expect(screen.getByText(/^This is not JSON/)).toBeDefined();
  await type(
    /^The sequence as JSON/,
    json.value.replace('{ nonsense', '{"sequenceid":"kit 2","steps":[{"order":3,"location":"B","icon":"exit"}]}'),
  );
  await press('Form', 'radio');
  expect(screen.getByText('Also: icon. Edit these as JSON.')).toBeDefined();
  await press('Save');
  expect(replaceSequence).toHaveBeenCalledWith({
    path: { seqID: 'kit 2' },
    body: { steps: [{ order: 3, location: 'B', icon: 'exit' }] },
  });
});

test('reports a refused step at its field', async () => {
  const replaceSequence = () =>
    Promise.reject(
      new ApiError('invalid', 'It was not changed.', [{ path: '/steps/3/color', message: 'Unknown color.' }]),
    );
  await openWork('sequences', { getSequence, replaceSequence }, { path: `${path}?view=edit` });
  await press('Save');
  expect(screen.getByText('Unknown color.')).toBeDefined();
});

test('a copy has the same steps and its own name', async () => {
  const addSequence = vi.fn(() => Promise.resolve(sequence('kit 2 copy', [step(1)])));
  await openWork(
    'sequences',
    { loadSequences, getSequence, addSequence },
    { path: '/connections/sequences?view=new&from=kit%202' },
  );
  await press('Create sequence');
  expect(addSequence).toHaveBeenCalledWith({
    body: {
      sequenceid: 'kit 2 copy',
      steps: HALTED.steps.map(({ order, location, line1 }) => ({ order, location, line1 })),
    },
  });
});

test('deletes a sequence without asking if it was never launched, and Undo restores it', async () => {
  const fresh = sequence('kit 3', [step(1, { stepnonce: 'n' })]);
  const removeSequence = vi.fn(() => Promise.resolve());
  const addSequence = vi.fn(() => Promise.resolve(fresh));
  await openWork('sequences', {
    loadSequences,
    getSequence: () => Promise.resolve(fresh),
    removeSequence,
    addSequence,
  });
  await press('More for kit 3');
  await press('Delete…', 'menuitem');
  expect(removeSequence).toHaveBeenCalledWith({ path: { seqID: 'kit 3' } });
  await press('Undo');
  expect(addSequence).toHaveBeenCalledWith({
    body: {
      sequenceid: 'kit 3',
      steps: [{ order: 1, location: 'A-1', line1: 'Do 1', stepnonce: 'n' }],
    },
  });
});

test('a read-only user cannot change a sequence', async () => {
  await openWork('sequences', { getSequence }, { path, scope: 'read' });
  const names = screen.getAllByRole('button').map((button) => button.getAttribute('aria-label') ?? button.textContent);
  expect(names).toEqual(['Sequences', 'More for kit 2', 'Why is Step 2 lit?']);
});
