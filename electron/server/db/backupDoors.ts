import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { hideInUrl } from '../domain/station/hiddenSecrets.ts';
import { DATABASE_FILE } from './database.ts';
import type { Db } from './db.ts';
import { parseJson } from './parseJson.ts';

/** A setting or row that lets others in, reads or writes a folder, or names an address that the station contacts. */
export type Door = { name: string; value: string };

/** Maximum number of receivers and of links to list. */
export const MAX_DOORS = 200;

/** Settings that are doors. */
const SETTINGS = [
  'basic_auth',
  'turbo_plain_passwords',
  'cors_origins',
  'public_urls',
  'trusted_proxies',
  'inbox_folder',
  'outbox_folder',
  'orders_sheet_url',
  'callback_url',
  'callback_verify',
  'mqtt_url',
  'mail_host',
  'mail_to',
] as const;

/** Rows that are doors: each has an address. */
type Rows = {
  settings: Readonly<Record<string, unknown>>;
  receivers: readonly { name: string; url: string }[];
  links: readonly { url: string; path: string }[];
};

/** Lists the doors of a station, without settings that have their defaults. */
export function doorsOf({ settings, receivers, links }: Rows): Door[] {
  const own = new Map(Object.entries(settings));
  return [
    ...SETTINGS.flatMap((name) => (own.has(name) ? [{ name, value: textOf(own.get(name)) }] : [])),
    ...receivers.map(({ name, url }) => ({ name: 'callback_receivers', value: `${name}: ${url}` })),
    ...links.map(({ url, path }) => ({ name: 'turbo_links', value: url || path })),
  ];
}

/** Lists the doors in a backup of any schema, at most `most` receivers and links each. */
export function listDoors(db: Db, most: number): Door[] {
  const settings = db.prepare<[], { key: string; value: string }>('SELECT key, value FROM settings').all();
  return doorsOf({
    settings: Object.fromEntries(settings.map(({ key, value }) => [key, parseJson(value)])),
    receivers: db
      .prepare<[number], { name: string; url: string }>('SELECT name, url FROM callback_receivers ORDER BY id LIMIT ?')
      .all(most),
    links: db
      .prepare<[number], { url: string; path: string }>('SELECT url, path FROM turbo_links ORDER BY id LIMIT ?')
      .all(most),
  });
}

/** Lists the doors of a station that is not running. Returns an empty list if its database is missing or cannot be read. */
export function findDoors(dataFolder: string): Door[] {
  const file = join(dataFolder, DATABASE_FILE);
  if (!existsSync(file)) return [];
  try {
    // Open read-only only beside a write-ahead log. Otherwise, SQLite creates an empty one that a read-only connection does not remove.
    const db = new Database(file, { readonly: existsSync(`${file}-wal`) });
    try {
      return listDoors(db, MAX_DOORS);
    } finally {
      db.close();
    }
  } catch {
    return [];
  }
}

/** Returns the doors of a backup that are closed or different here, without secrets in addresses. */
export function opensOf(doors: readonly Door[], here: readonly Door[]): Door[] {
  return doors
    .filter(({ name, value }) => !here.some((door) => door.name === name && door.value === value))
    .map(({ name, value }) => ({ name, value: hideInUrl(value) }));
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}
