import { sign, type KeyLike } from 'node:crypto';

/*
 * Without packages, because the machine that knows the private key runs this: tools/release.ts.
 */

/** A release for one system, as listed in its update feed. */
export type Release = {
  /** Name of the list. It is signed, so that nobody can offer a release for another system. */
  list: string;
  version: string;
  /** Time of the signature. It is signed, so that the station notices when a feed repeats an old list. */
  signed_at: string;
  files: {
    /** URL of the file, relative to the address of the list. */
    url: string;
    /** SHA-512 hash in base64. */
    sha512: string;
    /** Size in bytes. */
    size: number;
    /** Whether the program was installed for all users (Windows). */
    isAdminRightsRequired?: boolean | undefined;
  }[];
  minimumSystemVersion?: string | undefined;
};

/**
 * Returns the update list for a release, as JSON with an Ed25519 signature over all fields of `Release`. `key` is the private key in PEM
 * format.
 */
export function signRelease(release: Release, key: KeyLike): string {
  const signed = inOrder(release);
  return JSON.stringify({ ...signed, signature: sign(null, signedBytes(signed), key).toString('base64') }, null, 2);
}

/** Returns the bytes over which a release is signed. */
export function signedBytes(release: Release): Buffer {
  return Buffer.from(JSON.stringify({ program: 'pickstation', ...inOrder(release) }));
}

/** Returns only the fields of `Release`, always in the same order. */
function inOrder({ list, version, signed_at, files, minimumSystemVersion }: Release): Release {
  return {
    list,
    version,
    signed_at,
    files: files.map(({ url, sha512, size, isAdminRightsRequired }) => ({ url, sha512, size, isAdminRightsRequired })),
    minimumSystemVersion,
  };
}
