import { nameKey } from '#shared/lib/text/nameKey.ts';
import { alerts, settings, sound } from '../../words/texts.ts';

/** The headings of the index. */
const PARTS = ['shop', 'picking', 'system', 'you'] as const;
export type SettingsPart = (typeof PARTS)[number];

type Group = {
  title: string;
  words: unknown;
  isForAdmins: boolean;
  /** The heading in the index. Groups with `connections` are on a page of Connections instead. */
  part: SettingsPart | 'connections';
  /** Whether the group is shown only to people who have switched on advanced parts. */
  isAdvanced?: true;
};

const connection = { isForAdmins: true, part: 'connections' } as const;
const shop = { isForAdmins: true, part: 'shop' } as const;
const picking = { isForAdmins: true, part: 'picking' } as const;
const system = { isForAdmins: true, part: 'system' } as const;
const you = { isForAdmins: false, part: 'you' } as const;

/** All groups in the order of the page, each with all its texts for the search. */
const ALL = {
  shop: { ...shop, title: settings.shop.group.title, words: settings.shop },
  callbacks: { ...connection, title: settings.callbacks.group.title, words: settings.callbacks },
  nonces: { ...connection, title: settings.nonces.group.title, words: settings.nonces },
  mqtt: { ...connection, title: settings.mqtt.group.title, words: settings.mqtt },
  mail: { ...connection, title: settings.mail.group.title, words: [settings.mail, alerts.kinds] },
  folders: { ...connection, title: settings.folders.group.title, words: settings.folders },
  alerts: { ...shop, title: settings.alerts.group.title, words: settings.alerts },
  devices: { ...shop, title: settings.devices.group.title, words: settings.devices },
  orders: { ...picking, title: settings.orders.group.title, words: settings.orders },
  pickers: { ...picking, title: settings.pickers.group.title, words: settings.pickers },
  network: { ...system, title: settings.network.group.title, words: settings.network },
  schedule: { ...system, title: settings.backups.group.title, words: settings.backups },
  backups: { ...system, title: settings.backups.title, words: settings.backups },
  kept: { ...system, title: settings.kept.group.title, words: settings.kept },
  updates: { ...system, title: settings.updates.group.title, words: settings.updates },
  defaults: { ...system, title: settings.defaults.group.title, words: settings.defaults },
  requestLog: {
    ...system,
    title: settings.requestLog.group.title,
    words: settings.requestLog,
    isAdvanced: true,
  },
  about: { ...system, title: settings.about.title, words: settings.about, isForAdmins: false },
  sound: { ...you, title: sound.title, words: sound },
  account: { ...you, title: settings.account.title, words: settings.account },
} as const satisfies Record<string, Group>;

/** The id of a group, which is also its anchor, as in `/settings#network`. */
export type GroupId = keyof typeof ALL;
export type IndexedGroup = { id: GroupId; title: string };

const IDS = Object.keys(ALL) as GroupId[];

/** Returns the groups that the Settings page shows to this person. */
export function groupsFor(isAdmin: boolean, isAdvanced: boolean): IndexedGroup[] {
  return IDS.flatMap((id) => {
    const group: Group = ALL[id];
    const isHidden = group.part === 'connections' || (group.isAdvanced === true && !isAdvanced);
    return isHidden || (group.isForAdmins && !isAdmin) ? [] : { id, title: group.title };
  });
}

/** Arranges groups under the headings of the index. Leaves out empty headings. */
export function inParts(
  groups: readonly IndexedGroup[],
): { part: SettingsPart; title: string; groups: readonly IndexedGroup[] }[] {
  return PARTS.map((part) => ({
    part,
    title: settings.index.parts[part],
    groups: groups.filter(({ id }) => ALL[id].part === part),
  })).filter((each) => each.groups.length > 0);
}

/** Whether the group's texts contain every word of the search. */
export function isFound(id: GroupId, search: string): boolean {
  const text = nameKey(writtenIn(ALL[id]).join(' '));
  return search.split(/\s+/).every((word) => text.includes(nameKey(word)));
}

/** Returns all texts in an object, at any depth. Ignores functions. */
function writtenIn(words: unknown): string[] {
  if (typeof words === 'string') return [words];
  return typeof words === 'object' && words !== null ? Object.values(words).flatMap(writtenIn) : [];
}

/** Distance in pixels from the top of the viewport within which a group counts as current. */
const READ_WITHIN = 160;

/**
 * Returns the group that is in view. `tops` has the distance of each group from the top of the viewport in pixels, and
 * `isAtEnd` tells whether the page is scrolled to the end.
 */
export function readGroup(tops: readonly { id: GroupId; top: number }[], isAtEnd: boolean): GroupId | undefined {
  if (isAtEnd) return tops.at(-1)?.id;
  return (tops.findLast(({ top }) => top <= READ_WITHIN) ?? tops[0])?.id;
}
