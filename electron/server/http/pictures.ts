import type { Request, Response } from 'express';
import { MAX_PICTURE_BYTES } from '#shared/lib/articles/articleLimits.ts';
import { isNamed } from './entityTags.ts';

/** Type of every picture that the station stores. */
export const PICTURE_TYPE = 'image/webp';

export const PICTURE_UPLOAD = {
  contentType: 'application/octet-stream',
  limit: MAX_PICTURE_BYTES,
  isWhole: true,
} as const;

/**
 * Returns the body of the answer with a stored picture, or sends 304 and returns undefined if the caller has it. Callers may keep the picture
 * for a year if they named its version.
 */
export function pictureAnswer(
  { version, bytes }: { version: string; bytes: Uint8Array },
  { req, res, named, part = '' }: { req: Request; res: Response; named: string | undefined; part?: string },
): { contentType: string; bytes: Uint8Array } | undefined {
  const tag = `"${version}${part}"`;
  res.setHeader('etag', tag);
  res.setHeader('cache-control', named === version ? 'private, max-age=31536000, immutable' : 'private, no-cache');
  if (!isNamed(req.headers['if-none-match'], tag)) return { contentType: PICTURE_TYPE, bytes };
  res.status(304).end();
  return undefined;
}
