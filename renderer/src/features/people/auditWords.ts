import type { AuditAction, AuditEntry } from '#shared/api/access.ts';
import * as texts from '../../words/texts.ts';

const words = texts.users.activity;
const { roleWords } = texts.users.person;

const SIGN_INS: readonly AuditEntry['action'][] = ['session.opened', 'session.refused', 'session.ended'];
const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;
const HOUR_S = 3_600;
const DAY_S = 86_400;

export type AuditWords = {
  who: string;
  what: string;
  /** The address, or empty if the station itself acted. */
  where: string;
};

/** Whether the entry is a sign-in, a sign-out or a refused sign-in, which are routine. */
export function isSignIn({ action }: AuditEntry): boolean {
  return SIGN_INS.includes(action);
}

/**
 * Describes an audit entry as the parts of a sentence, such as `Ann`, `created a key for ERP · read` and
 * `192.168.1.20`.
 */
export function auditWords(entry: AuditEntry): AuditWords {
  const { by, address, action, detail } = entry;
  const nobody = action === 'session.refused' ? words.nobody : words.station;
  const more = detail.method === 'environment' ? [words.environment] : [];
  return {
    who: by === '' ? nobody : by,
    what: [...SAID[action](entry), ...more].join(' · '),
    where: LOOPBACK.test(address) ? words.here : address.replace(/^::ffff:/, ''),
  };
}

type Facts = { subject: string; detail: AuditEntry['detail'] };

const backup = (done: string) => (facts: Facts) => [done, facts.subject];
const counted = (tries = 1) => (tries > 1 ? [words.tries(tries)] : []);
const wasBefore = (before = '') => (before === '' ? [] : [words.aliasBefore(before)]);

/** For each action, a function that returns the parts of its text, with the main part first. */
const SAID: Readonly<Record<AuditAction, (facts: Facts) => string[]>> = {
  'session.opened': ({ detail }) => [signedInWords(detail)],
  'session.refused': ({ subject, detail }) => [refusedWords(subject, detail), ...counted(detail.tries)],
  'session.ended': () => [words.signedOut],
  'password.changed': () => [words.ownPassword],
  'user.added': ({ subject, detail }) => [words.userAdded(subject, roleWords[detail.role ?? 'picker'])],
  'user.changed': ({ subject, detail }) => [changedWords(subject, detail)],
  'user.removed': ({ subject }) => [words.userRemoved(subject)],
  'kiosk.added': ({ subject }) => [words.kioskAdded(subject)],
  'kiosk.removed': ({ subject }) => [words.kioskRemoved(subject)],
  'screen.added': ({ subject }) => [words.screenAdded(subject)],
  'screen.removed': ({ subject }) => [words.screenRemoved(subject)],
  'apiUser.added': ({ subject, detail: { scope } }) => [
    words.keyAdded(subject),
    ...(scope === undefined ? [] : [words.keyScope[scope]]),
  ],
  'apiUser.rotated': ({ subject, detail: { grace_seconds: grace } }) => [
    words.keyReplaced(subject),
    ...(grace === undefined ? [] : [graceWords(grace)]),
  ],
  'apiUser.removed': ({ subject }) => [words.keyRemoved(subject)],
  'callbackReceiver.added': ({ subject }) => [words.receiverAdded(subject)],
  'callbackReceiver.changed': ({ subject, detail }) => [words.receiverChanged(subject, detail.settings ?? [])],
  'callbackReceiver.removed': ({ subject }) => [words.receiverRemoved(subject)],
  'settings.changed': ({ detail }) => [words.settings(detail.settings ?? [])],
  'device.added': ({ subject }) => [words.deviceAdded(subject)],
  'device.removed': ({ subject }) => [words.deviceRemoved(subject)],
  'device.replaced': ({ subject, detail }) => [words.deviceReplaced(subject, detail.deviceid ?? '')],
  'device.refused': ({ subject }) => [words.deviceRefused(subject)],
  'device.readmitted': ({ subject }) => [words.deviceReadmitted(subject)],
  'alias.added': ({ subject, detail }) => [words.aliasAdded(subject, detail.deviceid ?? '')],
  'alias.changed': ({ subject, detail: { deviceid = '', before } }) => [
    words.aliasChanged(subject, deviceid),
    ...(before === undefined ? [] : [words.aliasBefore(before)]),
  ],
  'alias.removed': ({ subject, detail }) => [words.aliasRemoved(subject, detail.deviceid ?? '')],
  'articles.imported': ({ detail: { rows = {} } }) => [words.articlesImported(rows.new ?? 0, rows.changed ?? 0)],
  'articles.importUndone': ({ detail: { rows = {} } }) => [words.articleImportUndone(rows.undone ?? 0)],
  'articles.importRedone': ({ detail: { rows = {} } }) => [words.articleImportRedone(rows.redone ?? 0)],
  'aliases.imported': ({ detail: { rows = {} } }) => [words.aliasesImported(rows.new ?? 0, rows.changed ?? 0)],
  'aliases.importUndone': ({ detail: { rows = {} } }) => [words.importUndone(rows.undone ?? 0)],
  'aliases.importRedone': ({ detail: { rows = {} } }) => [words.importRedone(rows.redone ?? 0)],
  'label.changed': ({ subject, detail: { name = '', before } }) => [
    words.labelChanged(subject, name),
    ...wasBefore(before),
  ],
  'place.added': ({ subject }) => [words.placeAdded(subject)],
  'place.removed': ({ subject }) => [words.placeRemoved(subject)],
  'place.renamed': ({ subject, detail: { before = '' } }) => [words.placeRenamed(before, subject)],
  'map.changed': ({ subject }) => [words.mapChanged(subject)],
  'orders.imported': ({ detail: { rows = {} } }) => [words.ordersImported(rows.new ?? 0, rows.changed ?? 0)],
  'orders.importUndone': ({ detail: { rows = {} } }) => [words.orderImportUndone(rows.undone ?? 0)],
  'orders.importRedone': ({ detail: { rows = {} } }) => [words.orderImportRedone(rows.redone ?? 0)],
  'board.installed': ({ subject }) => [words.boardInstalled(subject)],
  'board.updated': ({ subject }) => [words.boardUpdated(subject)],
  'turboLink.changed': ({ subject }) => [words.turboLinkChanged(subject)],
  'turboLink.added': ({ subject }) => [words.turboLinkAdded(subject)],
  'turboLink.removed': ({ subject }) => [words.turboLinkRemoved(subject)],
  'backup.made': backup(words.backupMade),
  'backup.uploaded': backup(words.backupUploaded),
  'backup.downloaded': backup(words.backupDownloaded),
  'backup.removed': backup(words.backupRemoved),
  'backup.restoreOrdered': backup(words.restoreOrdered),
  'backup.restored': ({ subject, detail: { kept, listen } }) => [
    words.restored,
    subject,
    ...(kept === undefined ? [] : [words.restoredKept(kept)]),
    ...(listen === undefined ? [] : [words.restoredClosed]),
  ],
  'backup.passphraseSet': () => [words.passphraseSet],
  'secrets.opened': () => [words.secretsOpened],
  'update.installed': ({ subject }) => [words.updateInstalled(subject)],
  'turbo.renamed': ({ subject, detail }) => [words.turboRenamed(subject, detail.name ?? '')],
  'turbo.forgotten': ({ subject }) => [words.turboForgotten(subject)],
  'right.refused': ({ subject, detail }) => [words.rightRefused(subject), ...counted(detail.tries)],
  'setup.done': () => [words.setUp],
  'setup.demo': () => [words.demoShop],
  'setup.demo_removed': () => [words.demoShopRemoved],
};

function signedInWords({ method, kiosk = '' }: AuditEntry['detail']): string {
  if (method === 'pin') return words.signedInPin(kiosk);
  if (method === 'basic') return words.signedInBasic;
  return method === 'window' ? words.signedInWindow : words.signedIn;
}

function refusedWords(name: string, { method, kiosk = '' }: AuditEntry['detail']): string {
  if (method === 'pin') return name === '' ? words.refusedUnknownPin(kiosk) : words.refusedPin(name, kiosk);
  if (method === 'key') return words.refusedKey;
  if (method !== 'password' && method !== 'basic' && method !== 'client_secret') return words.refusedOther;
  return name === '' ? words.refusedUnknown[method] : words.refused[method](name);
}

function changedWords(name: string, { changed = [], role }: AuditEntry['detail']): string {
  const parts = changed.map((part) => {
    if (part === 'password') return words.userPassword(name);
    if (part === 'pin') return words.userPin(name);
    if (part === 'sessions') return words.userSessions(name);
    return role === undefined ? words.userRoleUnknown(name) : words.userRole(name, roleWords[role]);
  });
  return parts.join(words.and);
}

function graceWords(seconds: number): string {
  if (seconds === 0) return words.keyAtOnce;
  if (seconds % DAY_S === 0) return words.keyGrace(words.days(seconds / DAY_S));
  if (seconds % HOUR_S === 0) return words.keyGrace(words.hours(seconds / HOUR_S));
  return words.keyGrace(words.seconds(seconds));
}
