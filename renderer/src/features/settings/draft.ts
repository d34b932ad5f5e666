import type { CallbackFamily } from '#shared/lib/connections/callbackFamilies.ts';
import type { SecretSettings, Settings, SettingsAnswer, SettingsChange } from '#shared/api/settings.ts';
import type { ShortReason } from '#shared/lib/orders/shortReasons.ts';
import { linesOf } from '../../kit/field/drafts.ts';
import type { FieldProblems } from '../../kit/field/fieldProblems.ts';
import { isSame } from '../../kit/isSame.ts';
import { colorProblem } from '../../shop/device/colorProblem.ts';
import { ApiError, sentenceOf } from '../../words/apiError.ts';
import * as texts from '../../words/texts.ts';

type SecretName = keyof SecretSettings;

const SECRETS = [
  'callback_api_key',
  'callback_password',
  'callback_signing_secret',
  'mail_password',
  'mqtt_password',
  'mqtt_key',
] as const satisfies SecretName[];

/** Settings that are lists. Each entry is typed on its own line. */
const LISTS = [
  'mail_to',
  'cors_origins',
  'public_urls',
  'trusted_proxies',
  'unwanted_callers',
] as const satisfies (keyof Settings)[];
type ListKey = (typeof LISTS)[number];

const NUMBERS = [
  'callback_timeout',
  'default_seconds',
  'order_seconds',
  'order_stalled_minutes',
  'count_every',
  'task_overdue_hours',
  'alert_offline_seconds',
  'alert_weak_dbm',
  'alert_battery_percent',
  'alert_turbo_seconds',
  'mail_port',
  'backup_every',
  'backup_keep',
  'history_days',
  'order_days',
  'history_customer_days',
  'callback_days',
  'log_days',
] as const satisfies (keyof Settings)[];
/** Numbers whose field may be empty, which means null. */
const MAYBE_NUMBERS = ['port'] as const satisfies (keyof Settings)[];
type NumberKey = (typeof NUMBERS | typeof MAYBE_NUMBERS)[number];

/** Settings as typed in the form. For a secret, undefined keeps the current value and null removes it. */
export type SettingsDraft = Omit<Settings, NumberKey | ListKey | 'callback_headers' | 'short_reasons'> & {
  /** Reasons as `key = Text` or only `key`, one per line. */
  short_reasons: string;
  /** Headers as `Name: value`, one per line. */
  callback_headers: string;
} & Record<ListKey, string> &
  Record<NumberKey, number | null> &
  Record<SecretName, string | null | undefined>;

export type DraftKey = keyof SettingsDraft;
export type TypedSettings = Partial<SettingsDraft>;
/** Explains, for each invalid field, why it cannot be saved. */
export type DraftProblems = { [Key in DraftKey]?: string };

/** Returns the form values for these saved settings. */
export function draftOf(saved: SettingsAnswer): SettingsDraft {
  const {
    callback_api_key_set: _key,
    callback_password_set: _password,
    callback_signing_secret_set: _signing,
    mail_password_set: _mailPassword,
    mqtt_password_set: _mqttPassword,
    mqtt_key_set: _mqttKey,
    unreadable_secrets: _unreadable,
    unreadable_others: _others,
    invalid_settings: _invalid,
    exposure: _exposure,
    ...open
  } = saved;
  return {
    ...open,
    short_reasons: saved.short_reasons
      .map(({ key, text }) => (text === undefined ? key : `${key} = ${text}`))
      .join('\n'),
    callback_headers: Object.entries(saved.callback_headers)
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n'),
    ...(Object.fromEntries(LISTS.map((key) => [key, saved[key].join('\n')])) as Record<ListKey, string>),
    ...(Object.fromEntries(SECRETS.map((key) => [key, undefined])) as Record<SecretName, undefined>),
  };
}

/** Returns a function that tells whether a secret is set, and whether the station cannot decrypt it. */
export const secretsOf =
  (saved: SettingsAnswer) =>
  (name: SecretName): { isSet: boolean; isUnreadable: boolean } => ({
    isSet: saved[`${name}_set`],
    isUnreadable: saved.unreadable_secrets.includes(name),
  });

/**
 * Returns the typed values that differ from the saved settings, as the change to send, and the problems of invalid
 * values.
 */
export function changeOf(
  edits: TypedSettings,
  saved: SettingsAnswer,
): { change: SettingsChange; problems: DraftProblems } {
  const change: Record<string, unknown> = {};
  const problems: DraftProblems = {};
  for (const [key, value] of Object.entries(edits) as [DraftKey, SettingsDraft[DraftKey]][]) {
    if (isSecret(key)) {
      // An empty field does not replace the secret.
      if (value !== undefined && value !== '') change[key] = value;
      continue;
    }
    const read = readField(key, value);
    const noColor = key === 'default_color' || key === 'order_color' ? colorProblem(edits[key] ?? '') : '';
    if (noColor !== '') problems[key] = noColor;
    else if (read === undefined) problems[key] = problemOf(key);
    else if (key === 'callback_families') {
      const families = Object.keys(saved[key]) as CallbackFamily[];
      const changed = families.filter((family) => edits[key]?.[family] !== saved[key][family]);
      if (changed.length > 0) change[key] = Object.fromEntries(changed.map((family) => [family, edits[key]?.[family]]));
    } else if (!isSame(read, saved[key])) change[key] = read;
  }
  return { change, problems };
}

export function keysOf(edits: TypedSettings): DraftKey[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- all keys of `edits` are fields
  return Object.keys(edits) as DraftKey[];
}

/** Formats a value as text. Null and undefined become an empty text. */
export function inText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? texts.settings.theirs.on : texts.settings.theirs.off;
  return value === null || value === undefined ? '' : JSON.stringify(value);
}

/** Assigns the station's errors to the fields with these keys. */
export function problemsOf(error: unknown, keys: readonly DraftKey[]): FieldProblems {
  const byField: Record<string, string> = {};
  const rest: string[] = [];
  for (const { path, message } of error instanceof ApiError ? error.fields : []) {
    const [name = '', part] = path.split('/').slice(1).map(unescapePointer);
    if (keys.some((key) => key === name))
      byField[name] = [byField[name], wordsOf(part, message)].filter(Boolean).join(' ');
    else rest.push(message);
  }
  const isSaid = Object.keys(byField).length > 0 && rest.length === 0;
  return { byField, rest: isSaid ? '' : [sentenceOf(error), ...rest].join(' ') };
}

function wordsOf(part: string | undefined, message: string): string {
  if (part === undefined || part === '') return message;
  return /^\d+$/.test(part) ? texts.settings.inLine(Number(part) + 1, message) : `${part}: ${message}`;
}

function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

function isSecret(key: DraftKey): key is SecretName {
  return (SECRETS as readonly string[]).includes(key);
}

/** Parses a typed value for the API. Returns undefined if it is invalid. */
function readField(key: Exclude<DraftKey, SecretName>, value: unknown): unknown {
  if ((NUMBERS as readonly string[]).includes(key)) return value ?? undefined;
  if ((LISTS as readonly string[]).includes(key)) return linesOf(String(value));
  if (key === 'short_reasons') return linesOf(String(value)).map(readReason);
  return key === 'callback_headers' ? readHeaders(String(value)) : value;
}

/**
 * Parses a reason for a short. People can change the texts of the four built-in reasons, but removed built-in reasons
 * reappear.
 */
function readReason(line: string): ShortReason {
  const [, key = line, text = ''] = /^(.*?)\s*=\s*(.*)$/.exec(line) ?? [];
  return text === '' ? { key } : { key, text };
}

function readHeaders(text: string): Record<string, string> | undefined {
  const headers: Record<string, string> = {};
  for (const line of linesOf(text)) {
    const [, name, value] = /^([^:\s]+)\s*:\s*(.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) return undefined;
    headers[name] = value;
  }
  return headers;
}

function problemOf(key: DraftKey): string {
  return key === 'callback_headers' ? texts.settings.headerForm : texts.settings.noNumber;
}

/** The question before a change that lets others in, or could lock the person out. */
export type Question = { title: string; body: string; confirm: string };

const LOOPBACK = /^(?:127\.[\d.]+|\[::1\]|localhost)$/;

/**
 * Returns the question to ask before a change, or undefined if there is none. `saved` are the current settings, and
 * `host` is the host in this page's address.
 */
export function askBefore(
  change: SettingsChange,
  saved: SettingsAnswer,
  host = window.location.hostname,
): Question | undefined {
  const { opening } = texts.settings.network;
  const { exposure } = saved;
  const listen = change.listen ?? saved.listen;
  const tls = change.tls ?? saved.tls;
  const isFixed = exposure.host_argument !== '';
  const isGiven = exposure.certificate?.kind === 'given';
  const isEncrypted = isGiven || tls === 'generated';
  if (change.listen === 'network' && !isFixed) {
    const how = !isEncrypted ? opening.plain : exposure.certificate === null ? opening.later : opening.encrypted;
    return { title: opening.title, body: `${opening.who} ${how}`, confirm: opening.confirm };
  }
  if (change.listen === 'this_machine' && exposure.listens === 'network' && !isFixed && !LOOPBACK.test(host)) {
    return { title: opening.closeTitle, body: opening.close, confirm: opening.closeConfirm };
  }
  const isOpen = isFixed ? exposure.listens === 'network' : listen === 'network';
  if (change.tls === 'off' && isOpen && !isGiven) {
    return { title: opening.offTitle, body: opening.plain, confirm: opening.offConfirm };
  }
  return undefined;
}
