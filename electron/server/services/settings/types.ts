import type { SecretSettings, Settings } from '#shared/api/settings.ts';
import type { HEADERS_SETTING } from '#shared/lib/access/secretSettings.ts';

export type CurrentSettings = Settings & SecretSettings;

/** Why the row of a setting is invalid, by setting name. */
export type InvalidSettings = ReadonlyMap<keyof CurrentSettings, string>;

/** `closed`, `closedHeaders`: secrets that cannot be decrypted with the data key. */
export type StoredSettings = {
  settings: CurrentSettings;
  closed: ClosedSecrets;
  closedHeaders: readonly string[];
  invalid: InvalidSettings;
};

/** A setting that is or contains a secret. */
export type SecretName = keyof SecretSettings | typeof HEADERS_SETTING;

/** Secrets that cannot be decrypted, each with the reason. */
export type ClosedSecrets = ReadonlyMap<SecretName, string>;
