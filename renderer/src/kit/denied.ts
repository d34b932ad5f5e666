import { createContext, use } from 'react';
import type { Right } from '#shared/api/rights.ts';

/**
 * Returns the reason why this person lacks a right, as a sentence, or undefined if the person has it. Without a
 * provider, everything is allowed.
 */
const Context = createContext<(right: Right) => string | undefined>(() => undefined);

export const DeniedProvider = Context.Provider;

export function useDenied(right: Right): string | undefined {
  return use(Context)(right);
}
