/** Secrets of the settings: set, replaced, unreadable. */
export const secret = {
  closed: {
    title: 'Secrets that cannot be read',
    lead: (names: readonly string[]) =>
      `This station cannot read ${names.join(', ')}. Everything that needs them waits; nothing is lost. Enter them again (the key of a display on the page Gateways), or enter the passphrase of the backup or copied folder.`,
    ofBackups:
      'This station cannot use the passphrase of backups: it is of another data key. Enter it here, or set a new one under Backups. Until then, new backups can be read on this station only.',
    open: 'Enter the passphrase',
    field: 'Passphrase of these data',
    confirm: 'Read the secrets',
    opened: 'The secrets can be read again. What waited continues.',
    left: (names: readonly string[]) => `Still to be entered again: ${names.join(', ')}`,
  },
  names: {
    callback_api_key: 'the API key of callbacks',
    callback_password: 'the password of callbacks',
    callback_signing_secret: 'the signing secret of callbacks',
    callback_headers: 'the headers of callbacks',
    mail_password: 'the password of the mail server',
    mqtt_password: 'the password of the broker',
    mqtt_key: 'the key of the broker',
    backup_passphrase: 'the passphrase of backups',
  } as Readonly<Record<string, string>>,
  isSet: 'Set, and never shown.',
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
