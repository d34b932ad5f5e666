import type { Clock, TurboState } from '../ports.ts';
import type { Link, LinkHost } from './link.ts';
import { createSerialNumbers } from './serialNumbers.ts';

const MAX_OFFLINE_TURBOS = 1_000;

/** Turbos by serial number: the link of a connected one, else its last state, which stays until it is forgotten. */
export type TurboList = {
  find(serial: string): Link | TurboState | undefined;
  states(): TurboState[];
  stateOf(link: Link): TurboState;
  /** Why a turbo cannot have the serial number that it gives; undefined: it can. */
  refusalOf: LinkHost['refusalOf'];
  /** Lists the link under this number and under no other: one link is one turbo. */
  put(link: Link, serial: string): void;
  /** Removes the link from the list, unless it has this number there. */
  removeUnless(link: Link, serial: string): void;
  /** The link closed: keeps the last state. Undefined if the link is not listed. */
  closed(link: Link, reason: string): TurboState | undefined;
  /** Reports the state of a listed link. */
  changed(link: Link): void;
  /** False for a connected or unknown one. */
  forget(serial: string): boolean;
  stop(): void;
};

export function createTurboList(parts: {
  clock: Clock;
  devicesOf(link: Link): number;
  report(state: TurboState): void;
}): TurboList {
  const { clock, devicesOf, report } = parts;
  const turbos = new Map<string, Link | TurboState>();
  const serials = new WeakMap<Link, string>();
  const numbers = createSerialNumbers(clock, (serial) => {
    const turbo = turbos.get(serial);
    if (isLink(turbo)) changed(turbo);
  });

  function stateOf(link: Link): TurboState {
    const { turbo } = link;
    const problem = link.problem ?? numbers.problemOf(turbo?.serialNumber ?? '');
    return {
      serialNumber: turbo?.serialNumber ?? '',
      name: turbo?.name ?? '',
      status: link.state === 'closed' ? 'offline' : link.state,
      transport: link.transport.kind,
      port: link.transport.port,
      firmware: turbo?.firmware ?? 0,
      uptimeS: link.uptimeS,
      lastSeenAt: link.lastSeenAt,
      deviceCount: devicesOf(link),
      ...(turbo?.software === undefined ? {} : { software: turbo.software }),
      ...(problem === undefined ? {} : { problem }),
    };
  }

  function changed(link: Link): void {
    if (turbos.get(link.turbo?.serialNumber ?? '') === link) report(stateOf(link));
  }

  function remove(serial: string): boolean {
    numbers.forget(serial);
    return turbos.delete(serial);
  }

  function removeUnless(link: Link, serial: string): void {
    const before = serials.get(link) ?? '';
    if (before === serial || turbos.get(before) !== link) return;
    remove(before);
    report({ ...stateOf(link), serialNumber: before, status: 'offline' });
  }

  function dropOld(): void {
    for (const [serial, turbo] of turbos) {
      if (turbos.size <= MAX_OFFLINE_TURBOS) return;
      if (!isLink(turbo)) remove(serial);
    }
  }

  return {
    find: (serial) => turbos.get(serial),
    states: () => [...turbos.values()].map((turbo) => (isLink(turbo) ? stateOf(turbo) : turbo)),
    stateOf,
    refusalOf(link, { serialNumber, bootId }, bootedAt) {
      const known = turbos.get(serialNumber);
      const other = isLink(known) && known !== link && known.state === 'online' ? known : undefined;
      const holder = other && { heardAt: other.lastSeenAt, port: other.transport.port };
      if (numbers.claim(serialNumber, { bootId, bootedAt, port: link.transport.port }, holder)) return undefined;
      if (other !== undefined) changed(other);
      const problem = `The serial number ${serialNumber} belongs to the turbo at ${holder?.port ?? ''}. Give this one a number of its own.`;
      return { status: 'numberTaken', problem };
    },
    put(link, serial) {
      removeUnless(link, serial);
      serials.set(link, serial);
      turbos.set(serial, link);
    },
    removeUnless,
    closed(link, reason) {
      const serial = link.turbo?.serialNumber;
      if (serial === undefined || turbos.get(serial) !== link) return undefined;
      const state = { ...stateOf(link), problem: link.problem ?? reason };
      // The last one in the list is the last to be dropped.
      turbos.delete(serial);
      turbos.set(serial, state);
      dropOld();
      return state;
    },
    changed,
    forget: (serial) => turbos.has(serial) && !isLink(turbos.get(serial)) && remove(serial),
    stop: () => numbers.stop(),
  };
}

export function isLink(turbo: Link | TurboState | undefined): turbo is Link {
  return turbo !== undefined && 'send' in turbo;
}
