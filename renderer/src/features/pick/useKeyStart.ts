import { useState } from 'react';
import { windowScans } from '../../scan/windowScans.ts';
import { useStationState } from '../../station/context.ts';
import { enterRuleHere } from './session/enterRule.ts';
import type { KeyStart } from './session/keyRules.ts';

/** Returns what Enter confirms for this person in this browser, and when a code was last scanned here. */
export function useKeyStart(): KeyStart {
  const me = useStationState(({ station }) => station?.user.name ?? '');
  const ofShop = useStationState(({ station }) => station?.enter_confirms ?? 'unless_scanning');
  const [scannedAt] = useState(() => windowScans().scannedAt());
  return { enterRule: enterRuleHere(me) ?? ofShop, scannedAt };
}
