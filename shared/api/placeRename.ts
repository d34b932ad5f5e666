import type { z } from 'zod';
import { articleLocationSchema } from './article.ts';
import { named } from './fields.ts';

export const placeRenameSchema = named('PlaceRename', {
  from: articleLocationSchema.describe('The place to rename, ignoring case.'),
  to: articleLocationSchema.describe('Its new name. A place with this name that only has a light gets the goods.'),
});
export type PlaceRename = z.infer<typeof placeRenameSchema>;
