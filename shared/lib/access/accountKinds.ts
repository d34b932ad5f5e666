/** Kinds of accounts: people, keys of programs, kiosks, and screens with the wall board. */
export const ACCOUNT_KINDS = ['person', 'key', 'kiosk', 'screen'] as const;
export type AccountKind = (typeof ACCOUNT_KINDS)[number];
export type AccountName = { kind: AccountKind; name: string };
