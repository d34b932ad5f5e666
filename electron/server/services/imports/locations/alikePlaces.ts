import { createPace, type InParts } from '#shared/lib/station/inParts.ts';
import type { TablesOf } from '../../../core.ts';
import { createTwinFinder, lookAlikeWarnings } from '../../base/index.ts';
import type { AssessedPlace, WantedPlace } from '../types.ts';

/** Adds warnings about names that rows create if they equal or look like other names of the station, or names in earlier rows. */
export function* warnOfLookAlikes(
  tables: Pick<TablesOf<'imports'>, 'lookAlikes'>,
  places: readonly AssessedPlace[],
): InParts<AssessedPlace[]> {
  const checked: AssessedPlace[] = [];
  const findTwin = createTwinFinder();
  const pace = createPace();
  for (const place of places) {
    if (pace.isDue()) yield* pace.rest();
    if (!('wanted' in place)) {
      checked.push(place);
      continue;
    }
    const { deviceId } = place.wanted;
    const isOwn = ({ of }: { of: string }): boolean => of !== '' && of === deviceId;
    const warnings = newNamesOf(place.wanted).flatMap((name) => [
      ...lookAlikeWarnings(tables, 'place', name, { isOwn, isOne: false }),
      findTwin('place', name, place.read.line) ?? '',
    ]);
    const all = [place.warning, ...new Set(warnings)].filter((warning) => warning !== '');
    checked.push({ ...place, warning: all.join(' ') });
  }
  return checked;
}

/** Lists the names that a row gives to a place or a device. */
function newNamesOf({ alias, label, named }: WantedPlace): string[] {
  return [
    ...(alias === null || alias.isKnown || alias.before !== null ? [] : [alias.after.name]),
    ...(label === null || label.after === '' ? [] : [label.after]),
    ...(named !== null && named.after.isMade && !named.before.isMade ? [named.name] : []),
  ];
}
