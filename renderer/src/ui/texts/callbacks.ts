import { plural } from './plural.ts';

const number = (count: number) => count.toLocaleString('en');

export const callbacks = {
  title: 'Callbacks',
  also: 'webhooks deliveries receiver outbox replay retry hook erp wms',
  note: (pending: number, dead: number) => {
    if (pending === 0 && dead === 0) return 'Nothing pending';
    const parts = [pending === 0 ? '' : `${number(pending)} pending`, dead === 0 ? '' : `${number(dead)} failed`];
    return parts.filter((part) => part !== '').join(', ');
  },
  waiting: (count: number) => `${plural(count, 'callback waits', 'callbacks wait')}: your system takes none`,
  failing: {
    since: (time: string, status: number | null) =>
      status === null
        ? `Your system has not answered since ${time}`
        : `Your system has refused callbacks since ${time} (status ${status})`,
    waiting: (count: number) => plural(count, 'callback waits', 'callbacks wait'),
    send: 'Send all now',
    sent: (count: number) => `Sending ${plural(count, 'callback', 'callbacks')}, oldest first.`,
    failed: 'The callbacks were not sent.',
  },
  adminOnly: { title: 'Admins only', body: 'Only admins can see callbacks and whether they arrived.' },

  filter: 'Filter callbacks',
  states: { all: 'All', pending: 'Pending', dead: 'Failed', delivered: 'Delivered' },
  statesLabel: 'By state',
  families: { all: 'All kinds', device: 'Devices', sequence: 'Sequences', order: 'Orders', condition: 'Alerts' },
  familiesLabel: 'By kind',
  list: 'Callbacks, newest first',
  notLoaded: 'The callbacks could not be loaded',
  olderFailed: 'Older callbacks could not be loaded.',
  end: 'No more callbacks.',
  none: {
    title: 'No callbacks yet',
    body: 'Presses of commands with a nonce, long presses of idle devices and your chosen events are sent to your system and listed here.',
  },
  noUrl: {
    title: 'No receiver',
    body: 'No callback URL and no MQTT broker is set, so presses appear only in the history. Set the address of your system or use the built-in receiver.',
    settings: 'Set the address',
  },
  noMatch: { title: 'No callback matches', body: 'Change the filters.' },

  events: {
    ack: 'Pressed',
    nack: 'Timed out',
    call: 'Called',
    call_up: 'Plus pressed',
    call_down: 'Minus pressed',
    device_ack: 'Item pressed',
    item_added: 'Item added',
    item_removed: 'Item removed',
    shipment_fulfilled: 'Shipment fulfilled',
    order_fulfilled: 'Order fulfilled',
    alert_raised: 'Alert raised',
    alert_ended: 'Alert resolved',
  } as Readonly<Record<string, string>>,
  otherEvent: 'Callback',
  state: {
    pending: (attempts: number) => (attempts === 0 ? 'Pending' : 'Retrying'),
    delivered: () => 'Delivered',
    dead: () => 'Failed',
  },
  noAnswer: 'No answer',
  /** Who gets it, and how a broker answers. */
  receivers: { http: 'HTTP', mqtt: 'MQTT' },
  acknowledged: 'Acknowledged',
  refused: 'Refused',
  attempts: (count: number) => (count === 0 ? 'not tried yet' : plural(count, 'attempt', 'attempts')),
  nextIn: (time: string) => `next attempt in ${time}`,
  nextNow: 'next attempt now',

  replay: 'Send again',
  replaying: 'Sending…',
  replayed: 'The callback is being sent again.',
  replayFailed: 'The callback was not sent again.',
  replayAll: (count: number) => `Send ${number(count)} again`,
  replayAllTitle: (count: number) => `Send ${plural(count, 'callback', 'callbacks')} again?`,
  replayAllBody: (receivers: readonly string[]) =>
    `All failed callbacks go to ${receivers.join(' and ')} with their old webhook-id. Your system may have received some of them before.`,
  replayAllConfirm: 'Send',
  replayedAll: (count: number) => `Sending ${plural(count, 'callback', 'callbacks')} again.`,

  open: {
    back: 'All callbacks',
    close: 'Close callback',
    gone: 'This callback was deleted',
    made: 'Created',
    tried: 'Last attempt',
    arrived: 'Delivered',
    next: 'Next attempt',
    attempts: 'Attempts',
    took: 'Took',
    id: 'Webhook id',
    to: 'Sent to',
    topic: 'Topic',
    request: 'Request',
    message: 'Message',
    requestOf: 'The request of the last attempt',
    notSent: 'Not sent yet. Content:',
    payload: 'Body',
    answer: 'Answer',
    answerOf: 'The raw answer',
    noAnswer: 'No answer.',
    brokerTook: 'The broker acknowledged it.',
    brokerRefused: (why: string) => `The broker refused it. ${why}`,
    noText: 'The body is not text.',
    cut: 'Only the beginning.',
    why: 'Timeline',
    device: (name: string) => `Open ${name}`,
    order: (number: string) => `Open order ${number}`,
    soon: 'at once',
  },

  to: {
    title: 'Receiver',
    settings: 'Settings',
    url: 'Callback URL',
    get: 'GET with its fields filled in',
    post: 'POST with JSON',
    none: 'None: no address is set.',
    broker: 'MQTT broker',
    brokerSettings: 'Settings and messages',
    own: 'The built-in receiver: nothing leaves the station.',
    test: 'Test',
    testBody: 'Sends a sample callback. It is not listed.',
    notLoaded: 'The settings could not be loaded.',
  },
  own: {
    title: 'Built-in receiver',
    body: 'No system yet? The built-in receiver shows you the callbacks.',
    choose: 'Use built-in receiver',
    chooseTitle: 'Send callbacks to the built-in receiver?',
    chooseBody: (url: string) =>
      `Your system at ${url} receives nothing until you set its address again in Settings. Pending callbacks come here too and count as delivered.`,
    chooseConfirm: 'Use built-in receiver',
    chosen: 'Callbacks now go to the built-in receiver.',
    failed: 'The receiver was not changed.',
    received: 'Received callbacks, newest first',
    kept: 'The last 100, in memory only. A restart clears them.',
    none: 'No callbacks yet. Press a device or send a test.',
    forget: 'Clear',
    forgetFailed: 'The list was not cleared.',
    again: (times: number) => `received ${times} times`,
    signature: { right: 'Signature valid', wrong: 'Signature invalid', none: 'Not signed' },
  },
} as const;
