import type { ArticlePicture } from '#shared/api/article.ts';
import { StationError } from '../../errors.ts';
import { pictureVersion } from '../base/index.ts';
import { pictureAddress, publishArticle } from './answers.ts';
import { getRow } from './articles.ts';
import type { ArticlesContext } from './types.ts';

type FoundPicture = { version: string; bytes: Uint8Array };

export function createPictures(context: ArticlesContext) {
  return {
    /**
     * Converts a picture in a separate process and assigns it to the article. Throws `not_found`, or `unsupported_media_type` if the
     * picture cannot be converted.
     */
    set: (sku: string, bytes: Buffer): Promise<ArticlePicture> => set(context, sku, bytes),
    /** Throws `not_found`. */
    get: (sku: string, isSmall: boolean): FoundPicture => get(context, sku, isSmall),
    /** Throws `not_found`. */
    remove: (sku: string): Promise<void> => remove(context, sku),
  };
}

export type Pictures = ReturnType<typeof createPictures>;

async function set(context: ArticlesContext, sku: string, bytes: Buffer): Promise<ArticlePicture> {
  const { repositories, reads, writer, copier, signal } = context;
  // Check that the article exists before the conversion starts.
  getRow(reads, sku);
  const { content, small } = await copier.convertPicture(bytes, signal);
  const version = pictureVersion(content);
  return writer.write((tx) => {
    const { articles } = repositories;
    const row = getRow(repositories, sku);
    if (row.picture !== version) {
      articles.setPicture(row.id, { version, content, small });
      articles.touch(tx, row.id);
      publishArticle(repositories, tx, row.id);
    }
    return { picture: pictureAddress({ ...row, picture: version }) };
  });
}

function get({ reads }: ArticlesContext, sku: string, isSmall: boolean): FoundPicture {
  const { id, sku: name } = getRow(reads, sku);
  const found = reads.articles.findPicture(id, isSmall);
  if (found === undefined) throw noPicture(name);
  return found;
}

function remove({ repositories, writer }: ArticlesContext, sku: string): Promise<void> {
  return writer.write((tx) => {
    const { id, sku: name, picture } = getRow(repositories, sku);
    if (picture === '') throw noPicture(name);
    repositories.articles.removePicture(id);
    repositories.articles.touch(tx, id);
    publishArticle(repositories, tx, id);
  });
}

function noPicture(sku: string): StationError {
  return new StationError('not_found', `Article ${sku} has no picture. PUT sets one.`);
}
