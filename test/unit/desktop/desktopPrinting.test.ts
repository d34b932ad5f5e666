import { expect, test } from 'vitest';
import { PRINT, PRINTERS, printWithoutDialog } from '../../../electron/main/printing.ts';

const OURS = 'http://127.0.0.1:8000';
const JOB = { printer: 'laser', width: 210, height: 297 };

type Handler = (event: object, value?: unknown) => Promise<unknown>;

/** Creates printing for a window with one printer. `print` acts as the operating system in a print job. */
function createPrinting(print: (done: (isPrinted: boolean) => void) => void = (done) => done(true)) {
  const handlers = new Map<string, Handler>();
  const jobs: object[] = [];
  const mainFrame = { origin: OURS };
  const sender = {
    mainFrame,
    getPrintersAsync: async () => [
      { name: 'laser', displayName: 'Office laser' },
      { name: 'roll', displayName: '' },
    ],
    print(job: object, done: (isPrinted: boolean) => void) {
      jobs.push(job);
      print(done);
    },
  };
  const ipc = { handle: (channel: string, handler: Handler) => void handlers.set(channel, handler) };
  printWithoutDialog(ipc as never, OURS);
  const ask = (channel: string, value?: unknown, senderFrame: object | null = mainFrame) =>
    handlers.get(channel)?.({ senderFrame, sender }, value);
  return { ask, jobs, sender };
}

test('lists the printers, and prints on one of them without a dialog, in the size of the paper', async () => {
  const { ask, jobs } = createPrinting();
  expect(await ask(PRINTERS)).toEqual([
    { name: 'laser', text: 'Office laser' },
    { name: 'roll', text: 'roll' },
  ]);
  expect(await ask(PRINT, JOB)).toBe('printed');
  expect(jobs).toEqual([{ silent: true, deviceName: 'laser', pageSize: { width: 210_000, height: 297_000 } }]);
});

test('reports a missing printer and a job that the system refuses', async () => {
  const { ask, jobs } = createPrinting();
  expect([await ask(PRINT, { ...JOB, printer: 'other' }), jobs]).toEqual(['gone', []]);
  expect(await createPrinting((done) => done(false)).ask(PRINT, JOB)).toBe('failed');
  const refuses = createPrinting(() => {
    throw new Error('Invalid deviceName provided');
  });
  expect(await refuses.ask(PRINT, JOB)).toBe('failed');
  const { ask: askNone, sender } = createPrinting();
  sender.getPrintersAsync = () => Promise.reject(new Error('no spooler'));
  expect([await askNone(PRINTERS), await askNone(PRINT, JOB)]).toEqual([[], 'gone']);
});

test.each([
  ['undefined', undefined],
  ['a text instead of a job', 'laser'],
  ['a job without a printer', { width: 210, height: 297 }],
  ['a job whose printer is a number', { ...JOB, printer: 7 }],
  ['a job whose width is a text', { ...JOB, width: '210' }],
  ['a job whose height is not a number', { ...JOB, height: Number.NaN }],
  ['a job that is too short', { ...JOB, height: 9 }],
  ['a job that is too long', { ...JOB, height: Number.POSITIVE_INFINITY }],
])('prints nothing for %s', async (_what, job) => {
  const { ask, jobs } = createPrinting();
  expect([await ask(PRINT, job), jobs]).toEqual(['failed', []]);
});

test.each([
  ['a different page', { origin: 'http://127.0.0.1:8001' }],
  ['a frame in the page', { origin: OURS }],
  ['a frame that is gone', null],
])('%s sees no printers and prints nothing', async (_who, frame) => {
  const { ask, jobs } = createPrinting();
  expect([await ask(PRINTERS, undefined, frame), await ask(PRINT, JOB, frame), jobs]).toEqual([[], 'failed', []]);
});
