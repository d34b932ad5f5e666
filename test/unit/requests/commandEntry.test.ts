import { expect, test } from 'vitest';
import { commandEntrySchema } from '#shared/api/device.ts';
import type { CommandContent } from '#shared/lib/requests/deviceRequest.ts';
import { type QueuedCommand, SHOW_STOCK_TARGET } from '../../../electron/server/domain/commands/commandQueue.ts';
import { commandEntry } from '../../../electron/server/services/base/index.ts';

const CONTENT: CommandContent = {
  command: 'pick',
  lines: ['M8', 'Bolts'],
  arrow: 'top',
  barcode: '4006381333931',
  qrcode: 'https://example.com/m8',
  icon: 'box',
  quantity: 3,
  color: 'red',
  sound: 'beep',
  seconds: 60,
};

const COMMAND: QueuedCommand = {
  id: 7,
  deviceId: '51D000:000001',
  position: 0,
  target: 'device',
  alias: '',
  nonce: 'N-1',
  content: CONTENT,
  arrowAdded: false,
  adjusted: 5,
  adjustment: null,
  sender: 'ERP',
  createdAt: 0,
  base: null,
  latencyMs: 0,
  state: { kind: 'queued', firstAt: null },
  outage: null,
  owner: null,
};

test('the answer to a command has every field of the schema, and two of them only for a light of stock or of a batch', () => {
  const entry = commandEntry(COMMAND, 'A-1');
  expect(entry).toMatchObject({
    command: 'pick',
    line1: 'M8',
    line2: 'Bolts',
    line3: '',
    arrow: 'top',
    barcode: '4006381333931',
    qrcode: 'https://example.com/m8',
    icon: 'box',
    quantity: 5,
    color: 'red',
    sound: 'beep',
    seconds: 60,
  });
  const fields = Object.keys(commandEntrySchema.shape).toSorted();
  const always = fields.filter((field) => field !== 'shows_stock' && field !== 'batch_name');
  expect(Object.keys(entry).toSorted()).toEqual(always);
  const fieldsOf = (command: QueuedCommand): string[] => Object.keys(commandEntry(command, 'A-1')).toSorted();
  expect(fieldsOf({ ...COMMAND, target: SHOW_STOCK_TARGET })).toEqual([...always, 'shows_stock'].toSorted());
  const ofBatch = { ...COMMAND, owner: { kind: 'pick', id: 3, of: '1', name: 'Cart 1' } } as const;
  expect(fieldsOf(ofBatch)).toEqual([...always, 'batch_name'].toSorted());
});

test('a field that only the station stores does not appear in answers', () => {
  const content = { ...CONTENT, costPrice: 12 };
  expect(Object.keys(commandEntry({ ...COMMAND, content }, 'A-1'))).toEqual(Object.keys(commandEntry(COMMAND, 'A-1')));
});
