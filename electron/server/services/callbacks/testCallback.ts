import type { CallbackReceiver, SimpleCallback, TestDelivery } from '#shared/api/callback.ts';
import { StationError } from '../../errors.ts';
import type { Writer } from '../../db/writer.ts';
import type { Clock, Ids } from '../../ports.ts';
import type { CallbackTarget } from './types.ts';
import { type Attempt, type CallbackSender, errorOf } from './sender.ts';

/** Maximum number of simultaneous tests. Each test holds a connection until the receiver answers. */
const MAX_TESTS = 8;

/** Sample callback for a device that cannot exist, so that the receiver books nothing. */
const SAMPLE: SimpleCallback = { acknack: 'ack', deviceid: '000000:000000', location: '', nonce: 'test', qty: 0 };

/** Sends sample callbacks to check a receiver. */
export function createTestCallbacks(parts: {
  /** Throws `not_found`. */
  targetOf: (receiver: CallbackReceiver) => CallbackTarget;
  sender: CallbackSender;
  ids: Ids;
  clock: Pick<Clock, 'now'>;
  writer: Pick<Writer, 'revision'>;
  changed: () => void;
}) {
  const { targetOf, sender, ids, clock, writer, changed } = parts;
  const tests = new Set<Attempt>();
  return {
    /**
     * Sends a sample callback once, even while the receiver is paused. The callback is not listed among the deliveries. Throws `not_found`,
     * or `conflict` if no URL is set, callbacks are held, or too many tests are running.
     */
    async test(receiver: CallbackReceiver): Promise<TestDelivery> {
      const target = targetOf(receiver);
      if (!target.isSet()) {
        throw new StationError('conflict', 'There is nowhere to send it: set callback_url first.');
      }
      const held = target.held();
      if (held !== undefined) throw new StationError('conflict', held);
      if (tests.size >= MAX_TESTS) {
        throw new StationError(
          'conflict',
          `${MAX_TESTS} tests are already waiting for an answer. Wait until one of them is done.`,
        );
      }
      const id = `msg_test_${Buffer.from(ids.bytes(9)).toString('base64url')}`;
      const event = { revision: writer.revision(), event_at: clock.now(), picked: 0 };
      const attempt = sender.send({ id, payload: JSON.stringify(SAMPLE), event }, target);
      tests.add(attempt);
      const sent = await attempt.sent;
      tests.delete(attempt);
      changed();
      const { url, method, milliseconds, answer } = sent;
      const error = errorOf(sent);
      const state = error === null ? 'delivered' : 'failed';
      return { id, state, url, method, payload: SAMPLE, status: answer?.status ?? null, error, milliseconds };
    },
    stop(): void {
      for (const attempt of tests) attempt.giveUp();
    },
  };
}

export type TestCallbacks = ReturnType<typeof createTestCallbacks>;
