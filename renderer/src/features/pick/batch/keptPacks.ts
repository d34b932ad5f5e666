import type { Remembered } from '../../../storage.ts';
import type { NamedCarrier } from './batchTypes.ts';
import type { BatchSession, BatchUndo } from './batchTypes.ts';

const keyOf = ({ kind, id }: NamedCarrier): string => `pickstation.packs.${kind}.${id}`;

/** Scanned packs that are not booked yet, and the undos of their scans. */
export type KeptPacks = Pick<BatchSession, 'packs' | 'undos'>;

const NO_PACKS: KeptPacks = { packs: new Map(), undos: [] };

/** Reads the packs that this person scanned in this tab at this cart, before a reload or before leaving the page. */
export function readPacks(storage: Remembered, carrier: NamedCarrier, me: string): KeptPacks {
  try {
    // Safe cast: only `keepPacks` writes the value.
    const kept = JSON.parse(storage.get(keyOf(carrier)) ?? 'null') as Stored | null;
    if (kept === null || kept.me !== me) return NO_PACKS;
    return { packs: new Map(kept.packs), undos: [...kept.undos] };
  } catch {
    return NO_PACKS;
  }
}

/** Stores the scanned packs of a session, instead of those stored before for this cart. */
export function keepPacks(
  storage: Remembered,
  carrier: NamedCarrier,
  { me, packs, undos }: KeptPacks & Pick<BatchSession, 'me'>,
): void {
  const kept: Stored = { me, packs: [...packs], undos: undos.filter(({ does }) => does === 'count') };
  storage.set(keyOf(carrier), packs.size === 0 ? null : JSON.stringify(kept));
}

type Stored = {
  me: string;
  packs: [line: string, pack: { quantity: number; code: string }][];
  undos: BatchUndo[];
};
