import { createPublicKey, sign, verify, type KeyLike } from 'node:crypto';

/** What a feed says about a release, as far as it is signed. `size`: bytes. */
export type Release = { version: string; files: readonly { url: string; sha512: string; size?: number | undefined }[] };

/** Base64 of an Ed25519 signature over the version and the hash of each file. `key`: private, as PEM. */
export function signRelease(release: Release, key: KeyLike): string {
  return sign(null, textOf(release), key).toString('base64');
}

/** `key`: public, as PEM. */
export function isSigned(release: Release, signature: unknown, key: string): boolean {
  try {
    return (
      typeof signature === 'string' &&
      release.files.length > 0 &&
      verify(null, textOf(release), createPublicKey(key), Buffer.from(signature, 'base64'))
    );
  } catch {
    return false;
  }
}

function textOf({ version, files }: Release): Buffer {
  const list = files.map(({ url, sha512, size }) => ({ url, sha512, size: size ?? 0 }));
  return Buffer.from(JSON.stringify({ program: 'pickstation', version, files: list }));
}
