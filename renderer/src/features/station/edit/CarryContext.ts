import { createContext, use } from 'react';
import { createCarryStore, type CarryStore } from './carry.ts';

/** Outside a map that is edited nothing is ever carried. */
const Context = createContext<CarryStore>(createCarryStore());

export const CarryProvider = Context.Provider;

export function useCarry(): CarryStore {
  return use(Context);
}
