import { useCallback, useRef, useState } from 'react';
import type { Batch } from '#shared/api/batch.ts';
import type { Carrier } from '#shared/api/carrier.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import { readScan } from '#shared/lib/picking/scanCode.ts';
import { pack } from '../../words/pack.ts';
import { scanner } from '../../words/scanner.ts';
import { type CheckLine, checkScan, type CheckedPieces, countOf, uncheckedOf } from './packCheck.ts';
import { type PackSlot, contentKey } from './packSlots.ts';

const words = pack.check;
const NONE: CheckedPieces = new Map();

export type CheckAnswer = { text: string; isRight: boolean };

export type PackCheck = {
  /** Key (see `contentKey`) of the slot that is being checked. */
  active: string | undefined;
  said: CheckAnswer | undefined;
  countedOf(slot: PackSlot): CheckedPieces;
  /** Sets the lines of a slot. Called once their codes are loaded. */
  lineUp(key: string, lines: readonly CheckLine[]): void;
  begin(slot: PackSlot): void;
  /** Call this when a code was repeated too soon to count. */
  repeated(code: string): void;
  /** Call this when a scan arrived with characters that the browser cannot read. */
  unreadable(): void;
  /** Handles a scan. `codes` are the scanned code and its reading by key positions, if any. */
  scan(codes: readonly string[]): void;
};

/** Checks the pieces of complete slots by scans. Books nothing, and a reload restarts the check. */
export function usePackCheck(carrier: Carrier, { slots }: Batch): PackCheck {
  const lines = useRef(new Map<string, readonly CheckLine[]>());
  const [counted, setCounted] = useState<ReadonlyMap<string, CheckedPieces>>(new Map());
  /** Includes scans that are not drawn yet, because a scanner can report several codes at once. */
  const latest = useRef(counted);
  const [chosen, setChosen] = useState<string>();
  const [said, setSaid] = useState<CheckAnswer>();
  const complete = slots.filter(({ state }) => state === 'complete');
  const isThere = complete.some((slot) => contentKey(slot) === chosen);
  // A single complete slot is active without being chosen.
  const [only] = complete.length === 1 ? complete : [];
  const active = isThere ? chosen : only && contentKey(only);
  const lineUp = useCallback((key: string, known: readonly CheckLine[]) => void lines.current.set(key, known), []);

  function begin(slot: PackSlot): void {
    setChosen(contentKey(slot));
    setSaid({ text: words.at(slot.slot), isRight: true });
  }

  function scan(codes: readonly string[]): void {
    const named = codes.map((code) => slotNamed(carrier, complete, code)).find((slot) => slot !== undefined);
    if (named !== undefined) return begin(named);
    const slot = complete.find((each) => contentKey(each) === active);
    const known = lines.current.get(active ?? '');
    if (slot === undefined || active === undefined) return setSaid({ text: words.noSlot, isRight: false });
    if (known === undefined) return setSaid({ text: words.notLoaded, isRight: false });
    const before = latest.current.get(active) ?? NONE;
    const result = codes.map((code) => checkScan(known, before, code)).find(({ kind }) => kind !== 'notHere');
    if (result === undefined || result.kind === 'notHere')
      return setSaid({ text: words.notHere(slot.order_number ?? slot.slot), isRight: false });
    const { line } = result;
    if (result.kind === 'tooMany') return setSaid({ text: words.tooMany(line.name, line.put), isRight: false });
    latest.current = new Map([...latest.current, [active, result.counted]]);
    setCounted(latest.current);
    const text =
      uncheckedOf(known, result.counted) === 0
        ? words.last(slot.slot)
        : words.right(line.name, countOf(result.counted, line), line.put);
    setSaid({ text, isRight: true });
  }

  return {
    active,
    said,
    countedOf: (slot) => counted.get(contentKey(slot)) ?? NONE,
    lineUp,
    begin,
    repeated: (code) => setSaid({ text: words.twice(code), isRight: false }),
    unreadable: () => setSaid({ text: scanner.unreadable, isRight: false }),
    scan,
  };
}

/** Returns the complete slot that has this code, tote or order. */
function slotNamed(carrier: Carrier, complete: readonly PackSlot[], code: string): PackSlot | undefined {
  const keys = new Set(readScan(code).candidates.map(nameKey));
  const isNamed = (text: string | null | undefined) => typeof text === 'string' && keys.has(nameKey(text));
  const codeOf = new Map(carrier.slots.map((slot) => [slot.slot, slot.code]));
  return complete.find(
    ({ slot, tote, order_number: order }) => isNamed(codeOf.get(slot)) || isNamed(tote) || isNamed(order),
  );
}
