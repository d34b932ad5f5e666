import type { Clock, TurboState } from '../ports.ts';
import type { TurboConnection, ConnectionHost } from './types.ts';
import { createSerialNumbers } from './serialNumbers.ts';

const MAX_OFFLINE_TURBOS = 1_000;

/** Turbos by serial number, each with its connection or, if disconnected, its last state. Drops the oldest states if there are too many. */
export type TurboList = {
  find(serial: string): TurboConnection | TurboState | undefined;
  states(): TurboState[];
  stateOf(connection: TurboConnection): TurboState;
  /** Returns why a turbo cannot use its serial number, or undefined if it can. */
  refusalOf: ConnectionHost['refusalOf'];
  /** Lists the connection under this number, and removes it from any other. */
  put(connection: TurboConnection, serial: string): void;
  /** Removes the connection if it is listed under another number. */
  removeUnless(connection: TurboConnection, serial: string): void;
  /** Replaces a closed connection with its last state, and returns that state. Returns undefined if the connection is not listed. */
  closed(connection: TurboConnection, reason: string): TurboState | undefined;
  /** Reports the state of a listed connection. */
  changed(connection: TurboConnection): void;
  /** Forgets a turbo. Returns false for a connected or unknown turbo. */
  forget(serial: string): boolean;
  stop(): void;
};

export function createTurboList(parts: {
  clock: Clock;
  devicesOf(connection: TurboConnection): number;
  report(state: TurboState): void;
}): TurboList {
  const { clock, devicesOf, report } = parts;
  const turbos = new Map<string, TurboConnection | TurboState>();
  const serials = new WeakMap<TurboConnection, string>();
  const numbers = createSerialNumbers(clock, (serial) => {
    const turbo = turbos.get(serial);
    if (isConnection(turbo)) changed(turbo);
  });

  function stateOf(connection: TurboConnection): TurboState {
    const { turbo } = connection;
    const problem = connection.problem ?? numbers.problemOf(turbo?.serialNumber ?? '');
    return {
      serialNumber: turbo?.serialNumber ?? '',
      name: turbo?.name ?? '',
      status: connection.state === 'closed' ? 'offline' : connection.state,
      transport: connection.transport.kind,
      port: connection.transport.port,
      firmware: turbo?.firmware ?? 0,
      uptimeS: connection.uptimeS,
      lastSeenAt: connection.lastSeenAt,
      deviceCount: devicesOf(connection),
      ...(turbo?.software === undefined ? {} : { software: turbo.software }),
      ...(problem === undefined ? {} : { problem }),
    };
  }

  function changed(connection: TurboConnection): void {
    if (turbos.get(connection.turbo?.serialNumber ?? '') === connection) report(stateOf(connection));
  }

  function remove(serial: string): boolean {
    numbers.forget(serial);
    return turbos.delete(serial);
  }

  function removeUnless(connection: TurboConnection, serial: string): void {
    const before = serials.get(connection) ?? '';
    if (before === serial || turbos.get(before) !== connection) return;
    remove(before);
    report({ ...stateOf(connection), serialNumber: before, status: 'offline' });
  }

  function dropOld(): void {
    for (const [serial, turbo] of turbos) {
      if (turbos.size <= MAX_OFFLINE_TURBOS) return;
      if (!isConnection(turbo)) remove(serial);
    }
  }

  return {
    find: (serial) => turbos.get(serial),
    states: () => [...turbos.values()].map((turbo) => (isConnection(turbo) ? stateOf(turbo) : turbo)),
    stateOf,
    refusalOf(connection, { serialNumber, bootId }, bootedAt) {
      const known = turbos.get(serialNumber);
      const other = isConnection(known) && known !== connection && known.state === 'online' ? known : undefined;
      const holder = other && { heardAt: other.lastSeenAt, port: other.transport.port };
      if (numbers.claim(serialNumber, { bootId, bootedAt, port: connection.transport.port }, holder)) return undefined;
      if (other !== undefined) changed(other);
      const problem = `The serial number ${serialNumber} belongs to the turbo at ${holder?.port ?? ''}. Give this one a number of its own.`;
      return { status: 'numberTaken', problem };
    },
    put(connection, serial) {
      removeUnless(connection, serial);
      serials.set(connection, serial);
      turbos.set(serial, connection);
    },
    removeUnless,
    closed(connection, reason) {
      const serial = connection.turbo?.serialNumber;
      if (serial === undefined || turbos.get(serial) !== connection) return undefined;
      const state = { ...stateOf(connection), problem: connection.problem ?? reason };
      // Move the turbo to the end, because `dropOld` begins with the first one.
      turbos.delete(serial);
      turbos.set(serial, state);
      dropOld();
      return state;
    },
    changed,
    forget: (serial) => turbos.has(serial) && !isConnection(turbos.get(serial)) && remove(serial),
    stop: () => numbers.stop(),
  };
}

export function isConnection(turbo: TurboConnection | TurboState | undefined): turbo is TurboConnection {
  return turbo !== undefined && 'send' in turbo;
}
