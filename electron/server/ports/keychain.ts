/** Where the system keeps secrets for this user. Both throw if it is locked or refuses. */
export type Keychain = {
  seal(text: string): Uint8Array;
  open(sealed: Uint8Array): string;
};
