import type { Transaction } from '../../db/writer.ts';
import type { Owner } from '../../domain/commandQueue.ts';
import type { OwnedEnd } from './commands.ts';

/** A sequence or an order, which writes its part in the same use-case when a command of its steps or items ends or moves. */
export type OwnerFollower = {
  ended(tx: Transaction, end: OwnedEnd): void;
  /** The step or item has another command now, perhaps at another device. `id`: of the step or item. */
  moved(tx: Transaction, id: number): void;
};

/** Notifies the owners of commands. */
export type CommandOwners = {
  /** Each kind has one follower. */
  follow(kind: Owner['kind'], follower: OwnerFollower): void;
  ended(tx: Transaction, end: OwnedEnd): void;
  moved(tx: Transaction, owner: Owner): void;
};

export function createCommandOwners(): CommandOwners {
  const followers = new Map<Owner['kind'], OwnerFollower>();
  return {
    follow: (kind, follower) => void followers.set(kind, follower),
    ended: (tx, end) => followers.get(end.owner.kind)?.ended(tx, end),
    moved: (tx, { kind, id }) => followers.get(kind)?.moved(tx, id),
  };
}
