export { type Aliases, createAliases } from './aliases.ts';
