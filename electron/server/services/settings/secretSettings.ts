import { DEFAULT_SETTINGS, type SecretSettings } from '#shared/api/settings.ts';
import { HEADERS_SETTING, SECRET_SETTINGS } from '#shared/lib/secretSettings.ts';
import type { KeyRing } from '../../db/keyRing.ts';
import { changeSecrets } from '../../db/secretRows.ts';
import type { CurrentSettings } from './settings.ts';

/** A setting that is or holds a secret. */
export type SecretName = keyof SecretSettings | typeof HEADERS_SETTING;

const NAMES: readonly SecretName[] = [...SECRET_SETTINGS, HEADERS_SETTING];

/** Who cannot do without which. */
const NEEDED = {
  http: ['callback_api_key', 'callback_password', 'callback_signing_secret', 'callback_headers'],
  mqtt: ['mqtt_password', 'mqtt_key'],
  mail: ['mail_password'],
} as const satisfies Record<string, readonly SecretName[]>;
export type SecretUser = keyof typeof NEEDED;

const WAITS: Readonly<Record<SecretUser, string>> = {
  http: 'Callbacks wait until then.',
  mqtt: 'MQTT is off until then, and its callbacks wait.',
  mail: 'E-mails wait until then.',
};

/** The rows of settings with their secrets opened, and the names of those that this key does not open, and of headers. */
export function openSettings(
  rows: Readonly<Record<string, unknown>>,
  keyRing: Pick<KeyRing, 'open'>,
): { opened: Partial<CurrentSettings>; closed: SecretName[]; closedHeaders: string[] } {
  const closed = new Set<SecretName>();
  const opened = Object.entries(rows).map(([key, value]) => {
    const open = (place: string, text: string): string | undefined => {
      const plain = keyRing.open(place, text);
      const name = NAMES.find((one) => one === key);
      if (plain === undefined && name !== undefined) closed.add(name);
      return plain;
    };
    return [key, changeSecrets(key, value, open) ?? null] as const;
  });
  // Written by this service after validation; a newer version's extra keys do no harm.
  const settings = Object.fromEntries(opened) as Partial<CurrentSettings>;
  const known = settings.callback_headers ?? {};
  const closedHeaders = Object.keys(rows[HEADERS_SETTING] ?? {}).filter((name) => !(name in known));
  return { opened: settings, closed: [...closed], closedHeaders };
}

/** The value as its row holds it. */
export function sealSetting(key: keyof CurrentSettings, value: unknown, keyRing: Pick<KeyRing, 'seal'>): unknown {
  return changeSecrets(key, value, keyRing.seal);
}

/** Why this one has to wait, as a sentence; undefined: it does not. */
export function whyHeld(user: SecretUser, closed: readonly SecretName[], whyClosed: () => string): string | undefined {
  const needed: readonly SecretName[] = NEEDED[user];
  const names = closed.filter((name) => needed.includes(name));
  if (names.length === 0) return undefined;
  return `${names.join(', ')} cannot be read. ${whyClosed()} Enter ${names.length === 1 ? 'it' : 'them'} again in the settings. ${WAITS[user]}`;
}

/** Whether a setting as it is now needs no row. */
export function isLeftOut(key: keyof CurrentSettings, change: unknown, next: CurrentSettings): boolean {
  const isDefault =
    key in DEFAULT_SETTINGS && (change ?? next[key]) === DEFAULT_SETTINGS[key as keyof typeof DEFAULT_SETTINGS];
  const isCleared = (SECRET_SETTINGS as readonly string[]).includes(key) && next[key] === null;
  return isDefault || isCleared;
}
