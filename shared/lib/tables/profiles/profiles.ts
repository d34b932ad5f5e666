import { createPace, type InParts } from '../../station/inParts.ts';
import { columnKey } from '../columnKey.ts';
import { ARTICLE_PROFILES } from './articleProfiles.ts';
import { ERP_PROFILES } from './erpProfiles.ts';
import { COUNT_FIELDS, LOCATION_FIELDS, ORDER_FIELDS, type TableKind, UNIT_FIELDS } from '../fields.ts';
import type { PickRule } from '../pickRules.ts';
import { NONE_LEFT, NOT_SHIPPED, type TableProfile } from './profile.ts';
import { SHOP_PROFILES } from './shopProfiles.ts';

/** Rules for files that no profile recognizes, in addition to those of their columns of states. */
export const GENERAL_RULES: readonly PickRule[] = [NOT_SHIPPED, NONE_LEFT];

/** Profiles of files with Pickstation's column names. */
const OWN_PROFILES: readonly TableProfile[] = [
  {
    id: 'pickstation_orders',
    title: 'Pickstation orders',
    kind: 'orders',
    isExport: true,
    has: [
      'order_number',
      'ordered_quantity',
      'warehouse_location',
      'deviceid',
      'callback_nonce',
      'seconds',
      'due_time',
    ],
    isExact: true,
    fields: { ...ownNames(), light_color: ['light_color', 'color'] },
    rules: [],
  },
  {
    // For handwritten files with the field names of the API. `color` is not `light_color` here, because it may describe the goods.
    id: 'pickstation_names',
    title: 'Pickstation column names',
    kind: 'orders',
    has: ['order_number', 'ordered_quantity'],
    isExact: true,
    fields: ownNames(),
    takesOthers: true,
    rules: GENERAL_RULES,
  },
  {
    // Pickstation's export of places.
    id: 'pickstation_locations',
    title: 'Pickstation places',
    kind: 'locations',
    isExport: true,
    has: ['name', 'deviceid', 'deviceIs', 'label'],
    isExact: true,
    fields: Object.fromEntries(LOCATION_FIELDS.map((field) => [field, [field]])),
    rules: [],
  },
];

/** All profiles. Their order matters only among equally specific profiles. */
export const PROFILES: readonly TableProfile[] = [
  ...OWN_PROFILES,
  ...SHOP_PROFILES,
  ...ERP_PROFILES,
  ...ARTICLE_PROFILES,
];

/** Returns the most specific profile whose columns the file has, or null if there is none. */
export function* recognize(kind: TableKind, names: readonly string[]): InParts<TableProfile | null> {
  const pace = createPace();
  const exact = new Set<string>();
  const keys = new Set<string>();
  for (const name of names) {
    exact.add(name.trim());
    keys.add(columnKey(name));
    if (pace.isDue()) yield* pace.rest();
  }
  const matching = PROFILES.filter(
    (profile) =>
      profile.kind === kind &&
      profile.has.every((each) =>
        each.split('|').some((name) => (profile.isExact === true ? exact.has(name) : keys.has(columnKey(name)))),
      ),
  );
  return matching.toSorted((a, b) => b.has.length - a.has.length)[0] ?? null;
}

function ownNames(): TableProfile['fields'] {
  return Object.fromEntries([...ORDER_FIELDS, ...COUNT_FIELDS, ...UNIT_FIELDS].map((field) => [field, [field]]));
}
