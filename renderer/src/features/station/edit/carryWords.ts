import { cellWords } from '../../../station/placeNames.ts';
import { texts } from '../../../ui/texts.ts';
import { type Carried, sameTarget, targetOf } from './carry.ts';
import { deviceAt } from './mapChanges.ts';
import type { NameOf } from './mapEdits.ts';

/** What is carried and where it would go, for eyes and screen readers alike. */
export function carryWords({ deviceid, target, map }: Carried, nameOf: NameOf): string {
  return texts.map.carrying(nameOf(deviceid), whereWords({ deviceid, target, map }, nameOf));
}

function whereWords({ deviceid, target, map }: Pick<Carried, 'deviceid' | 'target' | 'map'>, nameOf: NameOf): string {
  if (target === undefined || sameTarget(target, targetOf(map, deviceid))) return texts.map.back;
  if (target === 'tray') return texts.map.tray;
  const words = cellWords(map, target);
  const other = deviceAt(map, target);
  return other === undefined ? texts.map.free(words) : texts.map.occupied(words, nameOf(other));
}
