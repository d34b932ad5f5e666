import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { Board, BoardJob, BoardUpdate, NewBoard, NewBoardUpdates } from '#shared/api/board.ts';
import { Boards } from '../../../renderer/src/features/gateways/Boards.tsx';
import { show, station, testContext, type Stubs } from '../support.tsx';

const BOARD: Board = {
  port: '/dev/ttyACM0',
  name: 'MicroPython',
  serial_number: 'X1',
  profiles: ['badger2040w', 'badger2040', 'generic'],
};
const JOB: BoardJob = {
  id: '1',
  kind: 'installation',
  port: BOARD.port,
  profile: 'badger2040w',
  state: 'running',
  step: 'writing',
  progress: 0.42,
  problem: null,
  deviceid: null,
  turbo: null,
  started: '2026-11-20T08:00:00.000Z',
};

afterEach(() => void vi.useRealTimers());

const press = (name: string) => act(async () => fireEvent.click(screen.getByRole('button', { name })));
const type = (label: string, value: string) =>
  act(async () => fireEvent.change(screen.getByLabelText(label), { target: { value } }));

async function open(calls: Partial<Stubs>) {
  vi.useFakeTimers();
  const context = testContext({ station: station() }, { listBoards: () => Promise.resolve([BOARD]), ...calls });
  await act(async () => show(context, <Boards className="" />));
}

test('sets up a plugged-in board with its Wi-Fi, and shows the progress until it is done', async () => {
  const asked: NewBoard[] = [];
  let job = JOB;
  await open({
    installBoard: ({ body: board }) => (asked.push(board), Promise.resolve(JOB)),
    getBoardJob: () => Promise.resolve(job),
  });
  expect(screen.getByRole('heading', { name: 'Badger 2040 W is plugged in' })).toBeTruthy();
  await press('Set up this board…');
  await type('Place', 'A-1-1');
  await act(async () => fireEvent.click(screen.getByRole('switch', { name: /^Connect over Wi-Fi/ })));
  await press('Set up');
  expect(screen.getByText('Enter the name of the Wi-Fi.')).toBeTruthy();
  await type('Name of the Wi-Fi', 'Shop');
  await type('Password of the Wi-Fi', 'secret');
  await press('Set up');
  expect(asked).toEqual([
    { port: BOARD.port, profile: 'badger2040w', name: 'A-1-1', wifi: { ssid: 'Shop', password: 'secret' } },
  ]);
  expect(screen.queryByRole('button', { name: 'Set up this board…' })).toBeNull();
  expect(screen.getByRole('progressbar', { name: 'Writing the firmware' }).getAttribute('aria-valuetext')).toBe('42 %');
  job = { ...JOB, state: 'done', step: 'done', progress: 1 };
  await act(() => vi.advanceTimersByTimeAsync(600));
  expect(screen.getByRole('heading', { name: 'The board is now a device in this shop' })).toBeTruthy();
  await press('Close');
  expect(screen.getByRole('button', { name: 'Set up this board…' })).toBeTruthy();
});

test('can cancel a running board setup, and shows why a setup failed', async () => {
  const cancelled: string[] = [];
  let job = JOB;
  await open({
    installBoard: () => Promise.resolve(JOB),
    getBoardJob: () => Promise.resolve(job),
    cancelBoardJob: async ({ path: { id } }) => void cancelled.push(String(id)),
  });
  await press('Set up this board…');
  await press('Set up');
  await press('Cancel');
  expect(cancelled).toEqual(['1']);
  job = { ...JOB, state: 'failed', problem: 'No MicroPython answers on /dev/ttyACM0.' };
  await act(() => vi.advanceTimersByTimeAsync(600));
  expect(screen.getByRole('alert').textContent).toBe('No MicroPython answers on /dev/ttyACM0.');
});

test('updates boards with older firmware one after the other, and shows each result', async () => {
  const asked: NewBoardUpdates[] = [];
  const updates: BoardUpdate[] = ['one', 'two'].map((name) => ({
    turbo: `board-${name}`,
    name,
    runs: 'unknown',
    update: '3f2a90b1c4d5e6f7',
  }));
  const jobs: BoardJob[] = updates.map(({ turbo }, index) => ({
    ...JOB,
    id: String(index + 7),
    kind: 'update',
    port: '192.168.1.40:50000',
    profile: null,
    turbo,
    step: index === 0 ? 'in_use' : 'queued',
  }));
  const now = new Map(jobs.map((job) => [job.id, job]));
  const problem = 'The new firmware did not come online, and the board went back.';
  await open({
    listBoards: () => Promise.resolve([]),
    listBoardUpdates: () => Promise.resolve(updates),
    updateBoards: ({ body }) => (asked.push(body), Promise.resolve(jobs)),
    getBoardJob: ({ path: { id } }) => Promise.resolve(now.get(String(id)) ?? JOB),
  });
  expect(screen.getByRole('heading', { name: 'New firmware for 2 boards' })).toBeTruthy();
  expect(screen.getByText('one, two')).toBeTruthy();
  await press('Update');
  expect(asked).toEqual([{ turbos: ['board-one', 'board-two'] }]);
  expect(screen.queryByRole('button', { name: 'Update' })).toBeNull();
  expect(screen.getByRole('progressbar', { name: 'Waiting until nothing is lit on it' })).toBeTruthy();
  expect(screen.getByRole('progressbar', { name: 'Waiting for another board' })).toBeTruthy();
  now.set('7', { ...JOB, ...jobs[0], state: 'done', step: 'done' });
  now.set('8', { ...JOB, ...jobs[1], state: 'failed', problem });
  await act(() => vi.advanceTimersByTimeAsync(600));
  expect(screen.getByRole('heading', { name: 'The board was updated' })).toBeTruthy();
  expect(screen.getByRole('alert').textContent).toBe(problem);
});

test('shows why an update could not be started', async () => {
  await open({
    listBoardUpdates: () =>
      Promise.resolve([{ turbo: 'board-one', name: '', runs: 'unknown', update: '3f2a90b1c4d5e6f7' }]),
    updateBoards: () => Promise.reject(new Error('Boards are being updated already.')),
  });
  expect(screen.getByRole('heading', { name: 'New firmware for 1 board' })).toBeTruthy();
  expect(screen.getByText('board-one')).toBeTruthy();
  await press('Update');
  expect(screen.getByText(/^The update was not started\./)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Update' })).toBeTruthy();
});

test('shows running jobs with their progress after a reload, and does not show a closed job again', async () => {
  const update: BoardJob = { ...JOB, id: '2', kind: 'update', port: 'network', profile: null, turbo: 'board-one' };
  const now = new Map([JOB, update].map((job) => [job.id, job]));
  const ended: BoardJob = { ...JOB, id: '3', port: '/dev/ttyACM7', state: 'failed', problem: 'Long ago.' };
  await open({
    listBoardUpdates: () => Promise.resolve([{ turbo: 'board-one', name: '', runs: 'unknown', update: '3f2a90b1' }]),
    // The job list lags behind the status of each job: it still lists the closed job as running.
    listBoardJobs: () => Promise.resolve([JOB, update, ended]),
    getBoardJob: ({ path: { id } }) => Promise.resolve(now.get(String(id)) ?? JOB),
  });
  expect(screen.getAllByRole('progressbar', { name: 'Writing the firmware' })).toHaveLength(2);
  expect(screen.queryByText('Long ago.')).toBeNull();
  // Neither a setup nor an update is offered while it runs.
  expect(screen.queryByRole('button', { name: 'Set up this board…' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Update' })).toBeNull();
  now.set('2', { ...update, state: 'failed', problem: 'It runs what it ran before.' });
  await act(() => vi.advanceTimersByTimeAsync(600));
  expect(screen.getByRole('alert').textContent).toBe('It runs what it ran before.');
  await press('Close');
  expect(screen.queryByRole('alert')).toBeNull();
  await act(() => vi.advanceTimersByTimeAsync(25_000));
  expect(screen.queryByRole('alert')).toBeNull();
  expect(screen.getAllByRole('progressbar')).toHaveLength(1);
});

test("lists a job that was started on another page, and this page's own job only once", async () => {
  let running: BoardJob[] = [];
  const { promise, resolve } = Promise.withResolvers<BoardJob>();
  await open({
    installBoard: () => promise,
    listBoardJobs: () => Promise.resolve(running),
    getBoardJob: ({ path: { id } }) => Promise.resolve(running.find((job) => job.id === id) ?? JOB),
  });
  await press('Set up this board…');
  await press('Set up');
  // The job list arrives before the response to this page's request.
  running = [JOB, { ...JOB, id: '2', port: '/dev/ttyACM7' }];
  await act(() => vi.advanceTimersByTimeAsync(11_000));
  await act(async () => resolve(JOB));
  expect(screen.getAllByRole('listitem').map((item) => item.getAttribute('aria-label'))).toEqual([
    '/dev/ttyACM0',
    '/dev/ttyACM7',
  ]);
});
