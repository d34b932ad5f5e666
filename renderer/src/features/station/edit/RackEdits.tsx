import { createContext, use } from 'react';
import type { Rack } from '#shared/api/map.ts';

/** The actions that rack headings offer. */
export type RackEdits = {
  edit(rack: Rack): void;
  remove(rack: Rack): void;
  /** Moves the rack to this index. */
  move(rack: Rack, index: number): void;
  /** Number of unplaced devices whose label names a place on the map. */
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
