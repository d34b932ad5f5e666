/** The system's storage for this user's secrets. Both functions throw if the storage is locked or refuses access. */
export type Keychain = {
  seal(text: string): Uint8Array;
  open(sealed: Uint8Array): string;
};
