import { faultsOf } from '#shared/api/schemaFaults.ts';
import {
  DEFAULT_SETTINGS,
  MAX_LOG_DAYS,
  secretSettingsSchema,
  type SecretSettings,
  type Settings,
  settingsSchema,
  shortReasonSchema,
} from '#shared/api/settings.ts';
import { type ShortReason, wholeReasons } from '#shared/lib/orders/shortReasons.ts';
import type { KeyRing } from '../../db/keyRing.ts';
import { openSettings } from './secretSettings.ts';
import type { CurrentSettings, StoredSettings } from './types.ts';

const SCHEMAS = { ...settingsSchema.shape, ...secretSettingsSchema.shape };

const NO_SECRETS: SecretSettings = {
  callback_api_key: null,
  callback_password: null,
  callback_signing_secret: null,
  mail_password: null,
  mqtt_password: null,
  mqtt_key: null,
};

/** Values that replace invalid ones, for settings whose default could admit, delete or book more than the stored value did. */
const STRICTEST: Partial<Settings> = {
  accept_devices: 'ask',
  tls: 'generated',
  updates: 'off',
  scan_required: true,
  backup_keep: 1_000,
  history_days: 0,
  order_days: 0,
  history_customer_days: 0,
  callback_days: 0,
  log_days: MAX_LOG_DAYS,
};

/**
 * Reads settings from their rows. Rows may come from a backup or another machine, so each is validated against the API schema. Invalid rows
 * are replaced by the default or a stricter value, and unknown rows are ignored. `madeStationId` is the value of `mqtt_station` if no row
 * sets it.
 */
export function readStored(
  rows: Readonly<Record<string, unknown>>,
  keyRing: Pick<KeyRing, 'open' | 'whyClosed'>,
  madeStationId: string,
): StoredSettings {
  const { opened, closed, closedHeaders } = openSettings(rows, keyRing);
  const invalid = new Map<keyof CurrentSettings, string>();
  const valid = Object.entries(opened).flatMap(([name, value]) => {
    if (!isKnown(name)) return [];
    const whole = withDefaults(name, value);
    const reason = rows[name] === undefined ? 'Its text is not JSON.' : reasonOf(name, whole);
    if (reason !== undefined) invalid.set(name, reason);
    return reason === undefined ? [[name, whole] as const] : [];
  });
  const strict = Object.entries(STRICTEST).filter(([name]) => isKnown(name) && invalid.has(name));
  const settings: CurrentSettings = {
    ...DEFAULT_SETTINGS,
    mqtt_station: madeStationId,
    ...NO_SECRETS,
    ...Object.fromEntries([...valid, ...strict]),
  };
  return { settings, closed, closedHeaders, invalid };
}

function isKnown(name: string): name is keyof CurrentSettings {
  return Object.hasOwn(SCHEMAS, name);
}

/** Converts values from earlier versions, which had fewer callback families and stored reasons as texts. */
function withDefaults(name: string, value: unknown): unknown {
  if (name === 'short_reasons' && Array.isArray(value) && value.every(isReason)) return wholeReasons(value);
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return name === 'callback_families' && isObject ? { ...DEFAULT_SETTINGS.callback_families, ...value } : value;
}

function isReason(value: unknown): value is string | ShortReason {
  return typeof value === 'string' || shortReasonSchema.safeParse(value).success;
}

function reasonOf(name: keyof CurrentSettings, value: unknown): string | undefined {
  const [fault] = faultsOf(SCHEMAS[name], value);
  if (fault === undefined) return undefined;
  return fault.path === '' ? fault.message : `${fault.path}: ${fault.message}`;
}
