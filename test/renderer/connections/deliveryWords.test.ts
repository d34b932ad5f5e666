import { describe, expect, test } from 'vitest';
import type { Delivery } from '#shared/api/callback.ts';
import {
  answerText,
  eventWords,
  messageText,
  restWords,
  stateWords,
  subjectWords,
  toneOf,
} from '../../../renderer/src/features/callbacks/deliveryWords.ts';

const AT = Date.parse('2026-11-20T10:00:00.000Z');
const DELIVERED: Delivery = {
  id: 'msg_run_7',
  receiver: 'http',
  receiver_name: null,
  webhook_id: 'msg_run_7',
  state: 'delivered',
  family: 'device',
  payload: { acknack: 'ack', deviceid: '51D000:000001', location: 'A-3-2', nonce: 'pick-1', qty: 5 },
  url: 'http://wms.local/hook',
  attempts: 1,
  next_attempt: null,
  last_attempt: '2026-11-20T10:00:00.000Z',
  last_status: 200,
  last_error: null,
  created: '2026-11-20T10:00:00.000Z',
  command_id: null,
};
const REFUSED: Delivery = {
  ...DELIVERED,
  state: 'pending',
  attempts: 3,
  next_attempt: '2026-11-20T10:05:00.000Z',
  last_status: 500,
  last_error: 'The receiver answered 500.',
};

describe('the state of a delivery', () => {
  test.each<[string, Partial<Delivery>, number]>([
    ['Delivered · ', DELIVERED, AT],
    ['Delivered · 2 attempts', { ...DELIVERED, attempts: 2 }, AT],
    ['Retrying · next attempt in 5 min · 3 attempts', REFUSED, AT],
    ['Retrying · next attempt now · 3 attempts', REFUSED, AT + 600_000],
    [
      'Retrying · next attempt in 5 min · 3 attempts · No answer within 10 s.',
      { ...REFUSED, last_status: null, last_error: 'No answer within 10 s.' },
      AT,
    ],
    ['Failed · 3 attempts', { ...REFUSED, state: 'dead', next_attempt: null }, AT],
  ])('reads “%s”', (words, delivery, now) => {
    const whole = { ...DELIVERED, ...delivery };
    expect(`${stateWords(whole)} · ${restWords(whole, now)}`).toBe(words);
  });

  test('says that a delivery was not tried yet, without a next attempt', () => {
    const untried = { ...REFUSED, attempts: 0, last_status: null, last_error: null };
    expect(`${stateWords(untried)} · ${restWords(untried, AT)}`).toBe('Pending · not tried yet');
  });
});

test.each([
  ['good', DELIVERED],
  ['waiting', { ...REFUSED, attempts: 0 }],
  ['refused', REFUSED],
  ['broken', { ...REFUSED, state: 'dead' as const }],
])('a delivery has the tone %s', (tone, delivery) => {
  expect(toneOf(delivery)).toBe(tone);
});

test('the response text is the status, “No answer”, or empty before the first attempt', () => {
  expect(answerText(DELIVERED)).toBe('200');
  expect(answerText({ ...DELIVERED, last_status: null, attempts: 2 })).toMatch(/^no/i);
  expect(answerText({ ...DELIVERED, last_status: null, attempts: 0 })).toBe('');
});

test('the response text of a broker is “Acknowledged” or “Refused”', () => {
  const mqtt = { ...DELIVERED, receiver: 'mqtt', last_status: null } as const;
  expect(answerText(mqtt)).toBe('Acknowledged');
  expect(answerText({ ...mqtt, last_error: 'Not authorized.' })).toBe('Refused');
  expect(answerText({ ...mqtt, attempts: 0 })).toBe('');
});

test('the subject contains order, place and nonce, each once', () => {
  expect(subjectWords(DELIVERED)).toBe('A-3-2 · pick-1');
  expect(subjectWords({ payload: { deviceid: '51D000:000001', location: '', nonce: '51D000:000001' } })).toBe(
    '51D000:000001',
  );
  expect(subjectWords({ payload: { order: 'SO-1', location: 'A-1', nonce: 'n' } })).toBe('SO-1 · A-1 · n');
  expect(subjectWords({ payload: { turbo: 'HALL-1', nonce: 7 } })).toBe('HALL-1');
});

test('shows an unknown event by its API name', () => {
  expect(eventWords(DELIVERED)).toBe('Pressed');
  expect(eventWords({ payload: { order_event: 'item_added' } })).toBe('Line added');
  expect(eventWords({ payload: { condition_event: 'tea_is_ready' } })).toBe('tea_is_ready');
  expect(eventWords({ payload: {} })).not.toBe('');
});

test('formats a message as its first line, its headers and its indented body, if any', () => {
  const headers = [{ name: 'webhook-id', value: 'msg_run_7' }];
  expect(messageText({ first: 'POST /hook', headers, body: '{"a":1}' })).toBe(
    'POST /hook\nwebhook-id: msg_run_7\n\n{\n  "a": 1\n}',
  );
  expect(messageText({ first: 'GET /hook', headers, body: '' })).toBe('GET /hook\nwebhook-id: msg_run_7');
});
