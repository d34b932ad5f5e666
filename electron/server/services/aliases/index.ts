export { type Aliases, createAliases, type OpenOf } from './aliases.ts';
