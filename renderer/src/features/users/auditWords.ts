import type { AuditEntry } from '#shared/api/access.ts';
import { texts } from '../../ui/texts.ts';

const words = texts.users.activity;
const { roleWords } = texts.users.person;

const SIGN_INS: readonly AuditEntry['action'][] = ['session.opened', 'session.refused', 'session.ended'];
const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;
const HOUR_S = 3_600;
const DAY_S = 86_400;

export type AuditWords = {
  who: string;
  what: string;
  /** From where; empty for the station itself. */
  where: string;
};

/** Coming and going, refusals too: what happens every day. */
export function isSignIn({ action }: AuditEntry): boolean {
  return SIGN_INS.includes(action);
}

/** One thing that was done, as somebody would tell it: `Ann` `made a key for ERP · looks only` `192.168.1.20`. */
export function auditWords(entry: AuditEntry): AuditWords {
  const { by, address, action, detail } = entry;
  const nobody = action === 'session.refused' ? words.nobody : words.station;
  const more = detail.method === 'environment' ? [words.environment] : [];
  return {
    who: by === '' ? nobody : by,
    what: [...whatOf(entry), ...more].join(' · '),
    where: LOOPBACK.test(address) ? words.here : address.replace(/^::ffff:/, ''),
  };
}

/** What was done, and what is to be known of it. */
function whatOf({ action, subject, detail }: AuditEntry): string[] {
  const {
    role,
    scope,
    grace_seconds: grace,
    settings = [],
    deviceid = '',
    name = '',
    before,
    kept,
    rows = {},
    tries = 1,
  } = detail;
  switch (action) {
    case 'session.opened':
      return [signedInWords(detail.method)];
    case 'session.refused':
      return [refusedWords(subject, detail.method), ...(tries > 1 ? [words.tries(tries)] : [])];
    case 'session.ended':
      return [words.signedOut];
    case 'password.changed':
      return [words.ownPassword];
    case 'user.added':
      return [words.userAdded(subject, roleWords[role ?? 'picker'])];
    case 'user.changed':
      return [changedWords(subject, detail)];
    case 'user.removed':
      return [words.userRemoved(subject)];
    case 'apiUser.added':
      return [words.keyAdded(subject), ...(scope === undefined ? [] : [words.keyScope[scope]])];
    case 'apiUser.rotated':
      return [words.keyReplaced(subject), ...(grace === undefined ? [] : [graceWords(grace)])];
    case 'apiUser.removed':
      return [words.keyRemoved(subject)];
    case 'settings.changed':
      return [words.settings(settings)];
    case 'device.added':
      return [words.deviceAdded(subject)];
    case 'device.removed':
      return [words.deviceRemoved(subject)];
    case 'device.replaced':
      return [words.deviceReplaced(subject, deviceid)];
    case 'device.refused':
      return [words.deviceRefused(subject)];
    case 'device.readmitted':
      return [words.deviceReadmitted(subject)];
    case 'alias.added':
      return [words.aliasAdded(subject, deviceid)];
    case 'alias.changed':
      return [words.aliasChanged(subject, deviceid), ...(before === undefined ? [] : [words.aliasBefore(before)])];
    case 'alias.removed':
      return [words.aliasRemoved(subject, deviceid)];
    case 'aliases.imported':
      return [words.aliasesImported(rows.new ?? 0, rows.changed ?? 0)];
    case 'aliases.importUndone':
      return [words.importUndone(rows.undone ?? 0)];
    case 'label.changed':
      return [
        words.labelChanged(subject, name),
        ...(before === undefined || before === '' ? [] : [words.aliasBefore(before)]),
      ];
    case 'map.changed':
      return [words.mapChanged(subject)];
    case 'orders.imported':
      return [words.ordersImported(rows.new ?? 0)];
    case 'orders.importUndone':
      return [words.orderImportUndone(rows.undone ?? 0)];
    case 'turboLink.added':
      return [words.turboLinkAdded(subject)];
    case 'turboLink.removed':
      return [words.turboLinkRemoved(subject)];
    case 'backup.made':
      return [words.backupMade, subject];
    case 'backup.uploaded':
      return [words.backupUploaded, subject];
    case 'backup.downloaded':
      return [words.backupDownloaded, subject];
    case 'backup.removed':
      return [words.backupRemoved, subject];
    case 'backup.restoreOrdered':
      return [words.restoreOrdered, subject];
    case 'backup.restored':
      return [words.restored, subject, ...(kept === undefined ? [] : [words.restoredKept(kept)])];
    case 'turbo.renamed':
      return [words.turboRenamed(subject, name)];
    case 'turbo.forgotten':
      return [words.turboForgotten(subject)];
    case 'right.refused':
      return [words.rightRefused(subject), ...(tries > 1 ? [words.tries(tries)] : [])];
    case 'setup.done':
      return [words.setUp];
    case 'setup.demo':
      return [words.demoShop];
  }
}

function signedInWords(method: AuditEntry['detail']['method']): string {
  if (method === 'basic') return words.signedInBasic;
  return method === 'window' ? words.signedInWindow : words.signedIn;
}

function refusedWords(name: string, method: AuditEntry['detail']['method']): string {
  if (method === 'key') return words.refusedKey;
  if (method !== 'password' && method !== 'basic' && method !== 'client_secret') return words.refusedOther;
  return name === '' ? words.refusedUnknown[method] : words.refused[method](name);
}

function changedWords(name: string, { changed = [], role }: AuditEntry['detail']): string {
  const parts = changed.map((part) => {
    if (part === 'password') return words.userPassword(name);
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
