import { DEFAULT_SETTINGS } from '#shared/api/settings.ts';
import { HEADERS_SETTING, SECRET_SETTINGS } from '#shared/lib/access/secretSettings.ts';
import type { KeyRing } from '../../db/keyRing.ts';
import { changeSecrets } from '../../db/secretRows.ts';
import type { ClosedSecrets, CurrentSettings, InvalidSettings, SecretName, StoredSettings } from './types.ts';

const NAMES: readonly SecretName[] = [...SECRET_SETTINGS, HEADERS_SETTING];

/** Settings that each connection needs. A connection waits while one of its settings cannot be decrypted or is invalid. */
const NEEDED = {
  http: [
    'callback_url',
    'callback_families',
    'callback_headers',
    'callback_username',
    'callback_ca',
    'callback_verify',
    'callback_api_key',
    'callback_password',
    'callback_signing_secret',
  ],
  furtherReceivers: ['callback_ca', 'callback_verify'],
  mqtt: [
    'mqtt_url',
    'callback_families',
    'mqtt_prefix',
    'mqtt_station',
    'mqtt_username',
    'mqtt_ca',
    'mqtt_cert',
    'mqtt_password',
    'mqtt_key',
  ],
  mail: [
    'mail_host',
    'mail_port',
    'mail_security',
    'mail_username',
    'mail_from',
    'mail_to',
    'mail_ca',
    'mail_password',
  ],
} as const satisfies Record<string, readonly (keyof CurrentSettings)[]>;
export type SettingsUser = keyof typeof NEEDED;

const WAITS: Readonly<Record<SettingsUser, string>> = {
  http: 'Callbacks wait until then.',
  furtherReceivers: 'Callbacks wait until then.',
  mqtt: 'MQTT is off until then, and its callbacks wait.',
  mail: 'E-mails wait until then.',
};

/** Decrypts the secrets in settings rows. Also returns the secrets, and the names of callback headers, that could not be decrypted. */
export function openSettings(
  rows: Readonly<Record<string, unknown>>,
  keyRing: Pick<KeyRing, 'open' | 'whyClosed'>,
): { opened: Record<string, unknown>; closed: ClosedSecrets; closedHeaders: string[] } {
  const closed = new Map<SecretName, string>();
  const opened = Object.entries(rows).map(([key, value]) => {
    const open = (place: string, text: string): string | undefined => {
      const plain = keyRing.open(place, text);
      const name = NAMES.find((one) => one === key);
      if (plain === undefined && name !== undefined) closed.set(name, keyRing.whyClosed(text));
      return plain;
    };
    return [key, changeSecrets(key, value, open) ?? null] as const;
  });
  const settings: Record<string, unknown> = Object.fromEntries(opened);
  const known = Object.keys(settings[HEADERS_SETTING] ?? {});
  const closedHeaders = Object.keys(rows[HEADERS_SETTING] ?? {}).filter((name) => !known.includes(name));
  return { opened: settings, closed, closedHeaders };
}

/** Converts a setting to its stored form, in which secrets are encrypted. */
export function sealSetting(key: keyof CurrentSettings, value: unknown, keyRing: Pick<KeyRing, 'seal'>): unknown {
  return changeSecrets(key, value, keyRing.seal);
}

/**
 * Returns why a connection waits: a setting that it needs cannot be decrypted or is invalid. Returns undefined if the connection does not
 * wait.
 */
export function whyHeld(
  connection: SettingsUser,
  { closed, invalid }: Pick<StoredSettings, 'closed' | 'invalid'>,
): string | undefined {
  const needed: readonly (keyof CurrentSettings)[] = NEEDED[connection];
  const unread = [...closed].filter(([name]) => needed.includes(name));
  const wrong = needed.filter((name) => invalid.has(name));
  const count = unread.length + wrong.length;
  if (count === 0) return undefined;
  const reasons = [
    ...[...Map.groupBy(unread, ([, why]) => why)].map(
      ([why, secrets]) => `${secrets.map(([name]) => name).join(', ')} cannot be read. ${why}`,
    ),
    ...wrong.map((name) => `${name} is not valid. ${invalid.get(name) ?? ''}`),
  ];
  return `${reasons.join(' ')} Enter ${count === 1 ? 'it' : 'them'} again in the settings. ${WAITS[connection]}`;
}

/** Describes the effect of an invalid row, as the text of an alert. */
export function describeInvalid(name: keyof CurrentSettings, invalid: InvalidSettings, used: unknown): string {
  const connections = Object.keys(NEEDED) as SettingsUser[];
  const connection = connections.find((one) => (NEEDED[one] as readonly string[]).includes(name));
  const meanwhile = connection === undefined ? `Until then ${JSON.stringify(used)} applies.` : WAITS[connection];
  return `The stored value of ${name} is not valid and is ignored. ${invalid.get(name) ?? ''} Enter it again in the settings. ${meanwhile}`;
}

/** Whether the new value is the default, so that the setting needs no row. */
export function isLeftOut(key: keyof CurrentSettings, change: unknown, next: CurrentSettings): boolean {
  const isDefault =
    key in DEFAULT_SETTINGS && (change ?? next[key]) === DEFAULT_SETTINGS[key as keyof typeof DEFAULT_SETTINGS];
  const isCleared = (SECRET_SETTINGS as readonly string[]).includes(key) && next[key] === null;
  return isDefault || isCleared;
}
