import { listText } from '#shared/lib/text/locale.ts';

/** Texts for secret settings, which can be set, replaced or unreadable. */
export const secret = {
  closed: {
    title: 'Secrets that cannot be read',
    lead: (names: readonly string[]) =>
      `This station cannot read ${listText(names)}. Everything that needs them is on hold; nothing is lost. Enter them again (display keys on the Gateways page), or enter the passphrase of the backup or copied folder.`,
    ofBackups:
      'This station cannot use the backup passphrase: it belongs to another data key. Enter it here, or set a new one under Backups. Until then, only this station can read new backups.',
    open: 'Enter the passphrase',
    field: 'Passphrase for this data',
    confirm: 'Read the secrets',
    opened: 'The secrets can be read again. Everything on hold continues.',
    left: (names: readonly string[]) => `Enter these again: ${listText(names)}.`,
  },
  names: {
    callback_api_key: 'the callback API key',
    callback_password: 'the callback password',
    callback_signing_secret: 'the callback signing secret',
    callback_headers: 'the callback headers',
    mail_password: 'the mail server password',
    mqtt_password: 'the broker password',
    mqtt_key: 'the broker key',
    backup_passphrase: 'the backup passphrase',
  } as Readonly<Record<string, string>>,
  isSet: 'Set. It is never shown.',
  unreadable: 'Cannot be read. Enter it again.',
  notSet: 'Not set.',
  cleared: 'Will be cleared when you save.',
  set: 'Set',
  replace: 'Replace',
  clear: 'Clear',
  keep: 'Keep',
  setLabel: (label: string, isSet: boolean) => `${isSet ? 'Replace' : 'Set'}: ${label}`,
  clearLabel: (label: string) => `Clear: ${label}`,
  keepLabel: (word: string, label: string) => `${word}: ${label}`,
} as const;
