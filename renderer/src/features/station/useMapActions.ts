import { useRight } from '../../station/context.ts';
import { useTask } from '../../station/addresses.ts';
import { usePaletteActions } from '../../shop/paletteActions.ts';
import * as texts from '../../words/texts.ts';
import type { Mode } from './map/actions.ts';
import { LEVELS, type Level } from './map/levels.ts';

type Parts = {
  setLevel(level: Level): void;
  enter(mode: Mode): void;
  askRack(): void;
};

/** Offers the map's actions in the command palette, and opens the dialog for a new rack if another page links to it. */
export function useMapActions({ setLevel, enter, askRack }: Parts): void {
  const mayWork = useRight('work');
  const isAdmin = useRight('edit_map');
  useTask({
    rack() {
      if (!isAdmin) return;
      enter('edit');
      askRack();
    },
  });
  usePaletteActions([
    ...LEVELS.map((each) => ({
      id: `level ${each}`,
      words: texts.map.see(texts.map.levels[each]),
      run: () => setLevel(each),
    })),
    ...(isAdmin ? [{ id: 'edit map', words: texts.map.edit, run: () => enter('edit') }] : []),
    ...(mayWork ? [{ id: 'select', words: texts.choose.palette, run: () => enter('choose') }] : []),
  ]);
}
