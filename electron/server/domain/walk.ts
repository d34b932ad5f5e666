/** The page prints orders in the same walking order. */
export { byWalk, walkRanks } from '#shared/lib/walk.ts';
