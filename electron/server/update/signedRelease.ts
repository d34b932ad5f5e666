import { createPublicKey, verify } from 'node:crypto';
import { z } from 'zod';
import { StationError } from '../errors.ts';
import { signedBytes } from './signRelease.ts';

const releaseSchema = z.object({
  /** Name of the list. It is signed, so that nobody can offer a release for another system. */
  list: z.string(),
  version: z.string(),
  /** Time of the signature. It is signed, so that the station notices when a feed repeats an old list. */
  signed_at: z.iso.datetime(),
  files: z
    .array(
      z.object({
        /** URL of the file, relative to the address of the list. */
        url: z.string(),
        /** SHA-512 hash in base64. */
        sha512: z.string(),
        /** Size in bytes. */
        size: z.int().positive(),
        /** Whether the program was installed for all users (Windows). */
        isAdminRightsRequired: z.boolean().optional(),
      }),
    )
    .min(1),
  minimumSystemVersion: z.string().optional(),
});

const listSchema = releaseSchema.extend({ signature: z.string() });

/** A release for one system, as listed in its update feed. */
export type Release = z.infer<typeof releaseSchema>;

/**
 * Reads an update list made by `signRelease`. `list` is the expected name of the list, and `key` is the public key in PEM format. Throws
 * `conflict` if the name differs or the signature is invalid, and an Error if the text is not an update list.
 */
export function readRelease(text: string, list: string, key: string): Release {
  const { signature, ...release } = parseList(text);
  if (
    release.list === list &&
    verify(null, signedBytes(release), createPublicKey(key), Buffer.from(signature, 'base64'))
  )
    return release;
  throw new StationError(
    'conflict',
    `Version ${release.version.slice(0, 40)} is not signed by the makers of this program, and was not downloaded. Report this to the person who provided Pickstation.`,
  );
}

function parseList(text: string): z.infer<typeof listSchema> {
  try {
    return listSchema.parse(JSON.parse(text));
  } catch {
    throw new Error('the answer is not a list of releases');
  }
}
