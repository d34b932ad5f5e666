/** A hash of 32 bytes, slow on purpose. */
export type DerivePassword = (password: string, salt: Uint8Array) => Promise<Uint8Array>;
