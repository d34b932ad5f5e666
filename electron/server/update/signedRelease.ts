import { createPublicKey, verify } from 'node:crypto';
import { z } from 'zod';
import { StationError } from '../errors.ts';
import { signedBytes, type Release } from './signRelease.ts';

const listSchema = z.object({
  list: z.string(),
  version: z.string(),
  signed_at: z.iso.datetime(),
  files: z
    .array(
      z.object({
        url: z.string(),
        sha512: z.string(),
        size: z.int().positive(),
        isAdminRightsRequired: z.boolean().optional(),
      }),
    )
    .min(1),
  minimumSystemVersion: z.string().optional(),
  signature: z.string(),
}) satisfies z.ZodType<Release>;

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
