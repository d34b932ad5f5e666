import { HEADERS_SETTING, SECRET_SETTINGS } from '#shared/lib/access/secretSettings.ts';
import type { Db } from './db.ts';
import type { KeyRing } from './keyRing.ts';
import { parseJson } from './parseJson.ts';
import { keyIdOf } from './sealed.ts';

/** Returns the replacement for a secret, or undefined to remove the secret. */
type Change = (place: string, text: string) => string | undefined;
/** Like `Change`, but also gets the secret's human-readable name. */
type ChangeNamed = (name: string, place: string, text: string) => string;

export const linkPlace = (id: number): string => `turbo_links/${id}/key`;
/** Names of the secrets of an additional receiver of callbacks. */
export const RECEIVER_SECRETS = ['api_key', 'signing_secret'] as const;
export const receiverPlace = (id: number, secret: (typeof RECEIVER_SECRETS)[number]): string =>
  `callback_receivers/${id}/${secret}`;

/** Applies `change` to each secret in the value of a setting. Returns values of other settings unchanged. */
export function changeSecrets(key: string, value: unknown, change: Change): unknown {
  if ((SECRET_SETTINGS as readonly string[]).includes(key))
    return typeof value === 'string' ? change(`settings/${key}`, value) : value;
  if (key !== HEADERS_SETTING || typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, text]) => {
      const changed = change(`settings/${key}/${name.toLowerCase()}`, String(text));
      return changed === undefined ? [] : [[name, changed]];
    }),
  );
}

/**
 * Applies `change` to every secret in a database. `name` is the API name of a setting, the address of a link, or the name of a receiver.
 */
export function changeEachSecret(db: Db, change: ChangeNamed): void {
  const settings = db.prepare<[], { key: string; value: string }>('SELECT key, value FROM settings').all();
  const put = db.prepare('UPDATE settings SET value = ? WHERE key = ?');
  for (const { key, value } of settings) {
    let isChanged = false;
    const next = changeSecrets(key, parseJson(value), (place, text) => {
      const changed = change(key, place, text);
      isChanged ||= changed !== text;
      return changed;
    });
    if (isChanged) put.run(JSON.stringify(next), key);
  }
  changeLinkSecrets(db, change);
  changeReceiverSecrets(db, change);
}

function changeReceiverSecrets(db: Db, change: ChangeNamed): void {
  for (const secret of RECEIVER_SECRETS) {
    const rows = db
      .prepare<[], { id: number; name: string; stored: string }>(
        `SELECT id, name, ${secret} AS stored FROM callback_receivers WHERE ${secret} IS NOT NULL`,
      )
      .all();
    const put = db.prepare(`UPDATE callback_receivers SET ${secret} = ? WHERE id = ?`);
    for (const { id, name, stored } of rows) {
      const changed = change(name, receiverPlace(id, secret), stored);
      if (changed !== stored) put.run(changed, id);
    }
  }
}

function changeLinkSecrets(db: Db, change: ChangeNamed): void {
  const links = db
    .prepare<[], { id: number; url: string; key: string }>('SELECT id, url, key FROM turbo_links WHERE key IS NOT NULL')
    .all();
  const setKey = db.prepare('UPDATE turbo_links SET key = ? WHERE id = ?');
  for (const { id, url, key } of links) {
    const changed = change(url, linkPlace(id), key);
    if (changed !== key) setKey.run(changed, id);
  }
}

/** Lists the secrets in a database. `keyId` is empty if the secret is not encrypted, or is damaged. */
export function listSecrets(db: Db): { name: string; keyId: string }[] {
  const found: ReturnType<typeof listSecrets> = [];
  changeEachSecret(db, (name, _place, text) => {
    found.push({ name, keyId: keyIdOf(text) });
    return text;
  });
  return found;
}

/** Reencrypts secrets that were encrypted with a previous key of the folder, and overwrites the old bytes. */
export function sealAgain(db: Db, keyRing: Pick<KeyRing, 'seal' | 'open' | 'id'>): void {
  db.pragma('secure_delete = ON');
  db.transaction(() =>
    changeEachSecret(db, (_name, place, text) => {
      const opened = keyIdOf(text) === keyRing.id() ? undefined : keyRing.open(place, text);
      return opened === undefined ? text : keyRing.seal(place, opened);
    }),
  )();
  db.pragma('secure_delete = OFF');
}
