import type { Transaction } from '../../db/writer.ts';
import type { Owner } from '../../domain/commands/commandQueue.ts';
import type { When } from '../../domain/orders/formerPickers.ts';
import type { DarkPress, DirectPress, OwnedEnd } from './types.ts';

/** A sequence, order or batch that owns commands. Writes its own changes in the same transaction when one of its commands ends or moves. */
export type OwnerFollower = {
  ended(tx: Transaction, end: OwnedEnd): void;
  /** Called when a step, item or pick got a new command, possibly on a different device. `id` identifies the step, item or pick. */
  moved(tx: Transaction, id: number, isReached: boolean): void;
  /** Called when the device of a lit step or item became reachable or unreachable. */
  reached?(tx: Transaction, id: number, isReached: boolean): void;
  /** Books a press for an item whose light is off. Returns false if the item has ended. */
  pressed?(tx: Transaction, press: DarkPress): boolean;
  /** Whether the item is still open, so that a press counts even while the item is unlit. */
  isOpen?(id: number): boolean;
  /**
   * Returns the picker of an item now or at the time `when`: null for nobody or if it is unknown, undefined if the item does not exist.
   */
  pickerOf?(id: number, when?: When): string | null | undefined;
  /** Returns the name of a slot of a batch, or undefined if it does not exist. */
  slotName?(id: number): string | undefined;
  /** Returns what a confirmation that names `seen` is compared with, or undefined if the line does not exist. */
  shownOf?(id: number): ShownWork | undefined;
  /** Returns an item of which the line lights open pieces, or undefined if there is none. */
  itemOf?(id: number): number | undefined;
};

/** The work that a line shows: its pieces, and the device at which it is lit (null if it has no light). */
export type ShownWork = { fulfilled: number; ordered: number; isOver: boolean; litDeviceId: string | null };

export function createCommandOwners() {
  const followers = new Map<Owner['kind'], OwnerFollower>();
  const followersOfDirect: ((tx: Transaction, press: DirectPress) => void)[] = [];
  return {
    /** Sets the follower for this kind of owner. There is only one per kind. */
    follow: (kind: Owner['kind'], follower: OwnerFollower): void => void followers.set(kind, follower),
    /** Adds a follower for confirmed commands without an owner. */
    followDirect: (follower: (tx: Transaction, press: DirectPress) => void): void =>
      void followersOfDirect.push(follower),
    directPressed: (tx: Transaction, press: DirectPress): void => {
      for (const follower of followersOfDirect) follower(tx, press);
    },
    ended: (tx: Transaction, end: OwnedEnd): void => followers.get(end.owner.kind)?.ended(tx, end),
    moved: (tx: Transaction, { kind, id }: Owner, isReached: boolean): void =>
      followers.get(kind)?.moved(tx, id, isReached),
    reached: (tx: Transaction, { kind, id }: Owner, isReached: boolean): void =>
      followers.get(kind)?.reached?.(tx, id, isReached),
    pressed: (tx: Transaction, press: DarkPress): boolean => followers.get(press.kind)?.pressed?.(tx, press) ?? false,
    isOpen: ({ kind, id }: Pick<Owner, 'kind' | 'id'>): boolean => followers.get(kind)?.isOpen?.(id) ?? false,
    pickerOf: ({ kind, id }: Pick<Owner, 'kind' | 'id'>, when?: When): string | null | undefined =>
      followers.get(kind)?.pickerOf?.(id, when),
    slotName: (slot: number): string | undefined => followers.get('slot')?.slotName?.(slot),
    shownOf: ({ kind, id }: Pick<Owner, 'kind' | 'id'>): ShownWork | undefined => followers.get(kind)?.shownOf?.(id),
    itemOf: ({ kind, id }: Pick<Owner, 'kind' | 'id'>): number | undefined =>
      kind === 'item' ? id : followers.get(kind)?.itemOf?.(id),
  };
}

export type CommandOwners = ReturnType<typeof createCommandOwners>;
