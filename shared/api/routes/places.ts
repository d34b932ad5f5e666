import type { z } from 'zod';
import type * as place from '../place.ts';
import { del, get, post, type WithBody } from './route.ts';

/** Places by their names, with or without a device. */
export const PLACE_ROUTES = {
  listPlaces: get('/api/places/')<{ query: z.input<typeof place.placeQuerySchema>; answer: place.GoodsPlace[] }>(),
  addPlace: post('/api/places/')<WithBody<typeof place.newPlaceSchema, place.GoodsPlace>>(),
  renamePlaces: post('/api/places/rename/')<WithBody<typeof place.placeRenamesSchema, place.RenamedPlaces>>(),
  removePlace: del('/api/places/{name}/')(),
} as const;
