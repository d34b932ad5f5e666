import { lazy, Suspense } from 'react';
import { useStore } from 'zustand';
import { useRight } from '../../../station/context.ts';
import type { Mode } from '../map/actions.ts';
import { EditBar } from './EditBar.tsx';
import type { MapEditor } from './mapEditor.ts';
import type { Carrying } from './useCarrying.ts';
import type { MapEdits } from './useMapEdits.ts';

const MapHint = lazy(async () => {
  const { MapHint: component } = await import('../MapHint.tsx');
  return { default: component };
});

export type EditToolsProps = {
  mode: Mode;
  enter(mode: Mode): void;
  editor: MapEditor;
  carrying: Carrying;
  edits: MapEdits;
  hasZones: boolean;
};

/** The bar of the map editor or, while there are no racks, a hint. */
export function EditTools({ mode, enter, editor, carrying, edits, hasZones }: EditToolsProps) {
  const isAdmin = useRight('edit_map');
  const hasRacks = useStore(editor, ({ map }) => map.racks.length > 0);
  if (mode === 'edit') {
    return (
      <EditBar
        editor={editor}
        carrying={carrying}
        arrangeable={edits.arrangeable}
        arrange={edits.arrange}
        addRack={edits.askRack}
        editZones={hasRacks || hasZones ? edits.askZones : undefined}
        finish={() => enter('look')}
      />
    );
  }
  if (mode !== 'look' || !isAdmin || hasRacks) return null;
  return (
    <Suspense fallback={null}>
      <MapHint
        makeRack={() => {
          enter('edit');
          edits.askRack();
        }}
        arrangeable={edits.arrangeable}
        arrange={edits.arrange}
      />
    </Suspense>
  );
}
