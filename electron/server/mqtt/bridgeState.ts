import type { MqttStatus } from '#shared/api/mqtt.ts';

/** State of the connection to the broker, as shown to people. */
export type BridgeState = {
  kind: MqttStatus['state'];
  /** Why the station is not connected, as a sentence. */
  problem: string | null;
  /** When `kind` last changed, in epoch milliseconds. */
  since: number;
  /** Number of consecutive failed attempts, or 0 if the last attempt succeeded. */
  failures: number;
};

export type BridgeEvent =
  | { kind: 'tried' | 'connected'; at: number }
  /** A failed attempt or a lost connection. `isRefusal` tells whether the broker refuses the station, so that waiting does not help. */
  | { kind: 'failed'; at: number; problem: string; isRefusal: boolean };

export const firstState = (at: number): BridgeState => ({ kind: 'connecting', problem: null, since: at, failures: 0 });

/** Returns the next state. During a new attempt after a failure, the state of that failure remains until the result is known. */
export function next(state: BridgeState, event: BridgeEvent): BridgeState {
  const enter = (kind: BridgeState['kind'], problem: string | null, failures = state.failures): BridgeState => ({
    kind,
    problem,
    since: kind === state.kind ? state.since : event.at,
    failures,
  });
  switch (event.kind) {
    case 'tried':
      return state.kind === 'connected' ? enter('connecting', state.problem) : state;
    case 'connected':
      return enter('connected', null);
    case 'failed': {
      const failures = state.kind === 'connected' ? 0 : state.failures + 1;
      return enter(event.isRefusal ? 'refused' : 'error', event.problem, failures);
    }
  }
}

/** Whether the last failure is the first one of an outage: the connection was lost, or the first attempt failed. */
export const isOutageNew = ({ failures }: BridgeState): boolean => failures <= 1;
