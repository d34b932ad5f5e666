/** Derives a hash of 32 bytes, intentionally slowly. */
export type DerivePassword = (password: string, salt: Uint8Array) => Promise<Uint8Array>;
