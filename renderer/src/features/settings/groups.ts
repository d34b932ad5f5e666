import { nameKey } from '#shared/lib/nameKey.ts';
import { alerts, settings, sound } from '../../words/texts.ts';

type Group = {
  title: string;
  words: unknown;
  isForAdmins: boolean;
  /** It is a page of Connections instead. */
  isPage?: true;
  /** Shown to a person who has switched advanced parts on. */
  isAdvanced?: true;
};

/** The groups in the order of the page, with all that is written in each. Those for admins come first. */
const ALL = {
  shop: { title: settings.shop.group.title, words: settings.shop, isForAdmins: true },
  callbacks: { title: settings.callbacks.group.title, words: settings.callbacks, isForAdmins: true, isPage: true },
  mqtt: { title: settings.mqtt.group.title, words: settings.mqtt, isForAdmins: true, isPage: true },
  orders: { title: settings.orders.group.title, words: settings.orders, isForAdmins: true },
  defaults: { title: settings.defaults.group.title, words: settings.defaults, isForAdmins: true },
  devices: { title: settings.devices.group.title, words: settings.devices, isForAdmins: true },
  pickers: { title: settings.pickers.group.title, words: settings.pickers, isForAdmins: true },
  alerts: { title: settings.alerts.group.title, words: settings.alerts, isForAdmins: true },
  mail: { title: settings.mail.group.title, words: [settings.mail, alerts.kinds], isForAdmins: true, isPage: true },
  folders: { title: settings.folders.group.title, words: settings.folders, isForAdmins: true, isPage: true },
  network: { title: settings.network.group.title, words: settings.network, isForAdmins: true },
  kept: { title: settings.kept.group.title, words: settings.kept, isForAdmins: true },
  requestLog: {
    title: settings.requestLog.group.title,
    words: settings.requestLog,
    isForAdmins: true,
    isAdvanced: true,
  },
  schedule: { title: settings.backups.group.title, words: settings.backups, isForAdmins: true },
  backups: { title: settings.backups.title, words: settings.backups, isForAdmins: true },
  updates: { title: settings.updates.group.title, words: settings.updates, isForAdmins: true },
  sound: { title: sound.title, words: sound, isForAdmins: false },
  account: { title: settings.account.title, words: settings.account, isForAdmins: false },
  about: { title: settings.about.title, words: settings.about, isForAdmins: false },
} as const satisfies Record<string, Group>;

/** Also the anchor of a group: `/settings#network`. */
export type GroupId = keyof typeof ALL;
export type IndexedGroup = { id: GroupId; title: string };

const IDS = Object.keys(ALL) as GroupId[];

/** The groups that the page of settings has for this person. */
export function groupsFor(isAdmin: boolean, isAdvanced: boolean): IndexedGroup[] {
  return IDS.flatMap((id) => {
    const group: Group = ALL[id];
    const isHidden = group.isPage === true || (group.isAdvanced === true && !isAdvanced);
    return isHidden || (group.isForAdmins && !isAdmin) ? [] : { id, title: group.title };
  });
}

/** Whether every word of the search is in the texts of the group. */
export function isFound(id: GroupId, search: string): boolean {
  const text = nameKey(writtenIn(ALL[id]).join(' '));
  return search.split(/\s+/).every((word) => text.includes(nameKey(word)));
}

/** All texts in an object at any depth, except those that are functions. */
function writtenIn(words: unknown): string[] {
  if (typeof words === 'string') return [words];
  return typeof words === 'object' && words !== null ? Object.values(words).flatMap(writtenIn) : [];
}

/** A group that begins so far below the upper edge is the one that is read. */
const READ_WITHIN = 160;

/**
 * The group that is read. `tops`: where each begins, in pixels below the upper edge of what is in sight; `isAtEnd`: nothing
 * is below.
 */
export function readGroup(tops: readonly { id: GroupId; top: number }[], isAtEnd: boolean): GroupId | undefined {
  if (isAtEnd) return tops.at(-1)?.id;
  return (tops.findLast(({ top }) => top <= READ_WITHIN) ?? tops[0])?.id;
}
