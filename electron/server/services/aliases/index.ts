export { type Aliases, createAliases } from './aliases.ts';
export { pointed } from './arrow.ts';
export { prefetchTargets } from './prefetchTargets.ts';
export {
  type Target,
  findAgain,
  findByAnyName,
  findById,
  findByLocation,
  findBySuperString,
  targetById,
  targetByLocation,
  unknownDevice,
} from './targets.ts';
