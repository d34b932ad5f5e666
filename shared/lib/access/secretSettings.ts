/** Settings that are write-only. No zod in this file, because the process that checks backups loads it. */
export const SECRET_SETTINGS = [
  'callback_api_key',
  'callback_password',
  'callback_signing_secret',
  'mail_password',
  'mqtt_password',
  'mqtt_key',
] as const;

/** Setting with the headers of callbacks. Headers may contain tokens, so each value is a secret. */
export const HEADERS_SETTING = 'callback_headers';
