import { createContext, use } from 'react';
import type { Rack } from '#shared/api/map.ts';

/** What can be done from the headings of the map. */
export type RackEdits = {
  edit(rack: Rack): void;
  remove(rack: Rack): void;
  /** To this place among the racks. */
  move(rack: Rack, index: number): void;
  /** Devices without a place whose label says one. */
  arrangeable: number;
  arrange(): void;
};

const nothing = () => undefined;
const Context = createContext<RackEdits>({
  edit: nothing,
  remove: nothing,
  move: nothing,
  arrangeable: 0,
  arrange: nothing,
});

export const RackEditsProvider = Context.Provider;

export function useRackEdits(): RackEdits {
  return use(Context);
}
