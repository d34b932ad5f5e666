import type { Settings, SettingsAnswer, SettingsChange } from '#shared/api/settings.ts';
import type { KeyRing } from '../../db/keyRing.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import { NO_TEMPLATE } from '#shared/lib/requests/screenTemplate.ts';
import { wholeReasons } from '#shared/lib/orders/shortReasons.ts';
import { pointerOf } from '#shared/lib/station/jsonPointer.ts';
import { HIDDEN } from '../../domain/station/hiddenSecrets.ts';
import { maskHeaders, unmaskHeaders } from '../../domain/callbacks/maskedHeaders.ts';
import { StationError } from '../../errors.ts';
import { type Audit, type By, createSecretTags } from '../base/index.ts';
import { HEADERS_SETTING, SECRET_SETTINGS } from '#shared/lib/access/secretSettings.ts';
import { type SettingsUser, describeInvalid, isLeftOut, sealSetting, whyHeld } from './secretSettings.ts';
import { readStored } from './storedSettings.ts';
import type { ClosedSecrets, CurrentSettings, SecretName, StoredSettings } from './types.ts';

/** Settings response without the fields that other services add. */
type OwnAnswer = Omit<SettingsAnswer, 'exposure' | 'unreadable_others'>;

export function createSettings(parts: {
  repositories: { settings: Repositories['settings'] };
  writer: Writer;
  audit: Audit;
  /** Value of `mqtt_station` if no row sets it. */
  madeStationId: string;
  keyRing: KeyRing;
}) {
  const { repositories, writer, audit, madeStationId, keyRing } = parts;
  let stored = read();
  const tagOf = createSecretTags();

  /** Reads the stored settings. Inside a transaction, they include the changes of this transaction. */
  function read(): StoredSettings {
    return readStored(repositories.settings.list(), keyRing, madeStationId);
  }

  /** Converts the settings to API form, which tells only whether a secret is set, and shows header values as `***`. */
  function answer({ settings, closed, closedHeaders, invalid } = stored): OwnAnswer {
    /** Whether a secret is set, even if it cannot be decrypted or is invalid. */
    const isSet = (secret: string | null, name: keyof CurrentSettings & SecretName): boolean =>
      secret !== null || closed.has(name) || invalid.has(name);
    const {
      callback_api_key,
      callback_password,
      callback_signing_secret,
      mail_password,
      mqtt_password,
      mqtt_key,
      ...open
    } = settings;
    return {
      ...open,
      callback_headers: {
        ...maskHeaders(open.callback_headers),
        ...Object.fromEntries(closedHeaders.map((name) => [name, HIDDEN])),
      },
      callback_api_key_set: isSet(callback_api_key, 'callback_api_key'),
      callback_password_set: isSet(callback_password, 'callback_password'),
      callback_signing_secret_set: isSet(callback_signing_secret, 'callback_signing_secret'),
      mail_password_set: isSet(mail_password, 'mail_password'),
      mqtt_password_set: isSet(mqtt_password, 'mqtt_password'),
      mqtt_key_set: isSet(mqtt_key, 'mqtt_key'),
      unreadable_secrets: [...closed.keys()],
      invalid_settings: [...invalid.keys()],
    };
  }

  /** Returns a digest of each secret, for detecting changes. The digests change when the station restarts. */
  function secretTags({ settings } = stored): Record<string, string> {
    return Object.fromEntries(
      ([...SECRET_SETTINGS, HEADERS_SETTING] as const).map((name) => [name, tagOf(settings[name])]),
    );
  }

  return {
    /** Rereads the secrets once this transaction, which changes them, is on disk. */
    reread(tx: Transaction): void {
      tx.apply(() => (stored = read()));
    },
    /** Returns the secrets that are set but cannot be decrypted, each with the reason. */
    closed: (): ClosedSecrets => stored.closed,
    /** Returns the settings whose row is invalid, each with the text of an alert. */
    invalid: (): ReadonlyMap<string, string> =>
      new Map(
        [...stored.invalid.keys()].map((name) => [name, describeInvalid(name, stored.invalid, stored.settings[name])]),
      ),
    /** Returns why a setting makes callbacks, MQTT or e-mails wait, or undefined if none does. */
    held: (connection: SettingsUser): string | undefined => whyHeld(connection, stored),
    /**
     * Whether callbacks are created for this receiver. This is the case if the receiver's address is set, even if it is invalid. Callbacks
     * then wait until the address is corrected.
     */
    hasReceiver: (receiver: 'http' | 'mqtt'): boolean => {
      const name = receiver === 'http' ? 'callback_url' : 'mqtt_url';
      return stored.settings[name] !== '' || stored.invalid.has(name);
    },
    /** Returns the current settings. Call this for each use, because settings can change. */
    current: (): CurrentSettings => stored.settings,
    answer: () => answer(),
    secretTags: () => secretTags(),
    /**
     * Changes settings. `check` receives the settings before the change, with the digests of secrets, and can throw. The header value `***`
     * keeps the stored value. Throws `invalid` if none is stored.
     */
    async change(
      change: SettingsChange,
      by: By,
      check: (current: object) => void = () => undefined,
    ): Promise<OwnAnswer> {
      await writer.write((tx) => {
        const found = read();
        check({ ...answer(found), ...secretTags(found) });
        const before = found.settings;
        const families = { ...before.callback_families, ...change.callback_families };
        const next = { ...before, ...change, callback_families: families } as CurrentSettings;
        if (change.screen_template !== undefined) next.screen_template = { ...NO_TEMPLATE, ...change.screen_template };
        if (change.short_reasons !== undefined) next.short_reasons = wholeReasons(change.short_reasons);
        if (change.mqtt_station === '') next.mqtt_station = madeStationId;
        if (change.callback_headers !== undefined)
          next.callback_headers = keptHeaders(change.callback_headers, before.callback_headers);
        for (const key of Object.keys(change) as (keyof CurrentSettings)[]) {
          if (isLeftOut(key, change[key], next)) repositories.settings.remove(key);
          else repositories.settings.put(key, sealSetting(key, next[key], keyRing));
        }
        const left = read();
        // Record only the names, because some values are secrets.
        const settings = Object.keys(change).toSorted();
        audit.record(tx, { action: 'settings.changed', by, subject: '', detail: { settings } });
        tx.emit({ type: 'settings.changed' });
        tx.apply(() => (stored = left));
      });
      return answer();
    },
  };
}

export type SettingsService = ReturnType<typeof createSettings>;

function keptHeaders(sent: Settings['callback_headers'], stored: Settings['callback_headers']): Record<string, string> {
  const { headers, unknown } = unmaskHeaders(sent, stored);
  const [name] = unknown;
  if (name === undefined) return headers;
  throw new StationError(
    'invalid',
    `*** keeps the value of a header, and ${name} has none. Send its value.`,
    unknown.map((one) => ({
      path: pointerOf(['callback_headers', one]),
      message: 'There is no value to keep.',
    })),
  );
}
