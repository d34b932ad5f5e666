import { createContext, use } from 'react';
import type { Right } from '#shared/api/rights.ts';

/** Why this person may not do what needs a right, as a sentence; undefined: allowed. Without a provider, all is allowed. */
const Context = createContext<(right: Right) => string | undefined>(() => undefined);

export const DeniedProvider = Context.Provider;

export function useDenied(right: Right): string | undefined {
  return use(Context)(right);
}
