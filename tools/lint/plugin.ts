import { imports } from './imports.ts';
import { tables } from './tables.ts';

/** Lint rules of this repository. */
export default { meta: { name: 'pickstation' }, rules: { imports, tables } };
