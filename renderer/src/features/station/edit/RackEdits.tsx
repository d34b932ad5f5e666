import { createContext, use } from 'react';
import type { Rack } from '#shared/api/map.ts';

/** What can be done to a rack from its heading. */
export type RackEdits = {
  edit(rack: Rack): void;
  remove(rack: Rack): void;
  /** To this place among the racks. */
  move(rack: Rack, index: number): void;
};

const nothing = () => undefined;
const Context = createContext<RackEdits>({ edit: nothing, remove: nothing, move: nothing });

export const RackEditsProvider = Context.Provider;

export function useRackEdits(): RackEdits {
  return use(Context);
}
