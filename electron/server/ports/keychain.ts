/** The system's storage for secrets of this user. Both functions throw if it is locked or refuses. */
export type Keychain = {
  seal(text: string): Uint8Array;
  open(sealed: Uint8Array): string;
};
