import { lazy, Suspense } from 'react';
import { useStore } from 'zustand';
import type { MapEditor } from './mapEditor.ts';
import type { Carrying } from './useCarrying.ts';
import type { MapEdits } from './useMapEdits.ts';

const RackDialog = lazy(async () => {
  const { RackDialog: component } = await import('./RackDialog.tsx');
  return { default: component };
});
const MoveDialog = lazy(async () => {
  const { MoveDialog: component } = await import('./MoveDialog.tsx');
  return { default: component };
});
const LeftDialog = lazy(async () => {
  const { LeftDialog: component } = await import('./LeftDialog.tsx');
  return { default: component };
});
const ZonesDialog = lazy(async () => {
  const { ZonesDialog: component } = await import('./ZonesDialog.tsx');
  return { default: component };
});

/** The dialogs of the map editor. */
export function EditDialogs({ edits, editor, carrying }: { edits: MapEdits; editor: MapEditor; carrying: Carrying }) {
  const map = useStore(editor, (state) => state.map);
  const { question } = edits;
  if (question === undefined) return null;
  return (
    <Suspense fallback={null}>
      {question.kind === 'zones' && (
        <ZonesDialog map={map} save={edits.saveZone} remove={edits.removeZone} close={edits.stopAsking} />
      )}
      {question.kind === 'left' && <LeftDialog left={question.left} close={edits.stopAsking} />}
      {question.kind === 'rack' && (
        <RackDialog
          map={map}
          rack={question.rack}
          save={(draft, renames) => edits.saveRack(question.rack, draft, renames)}
          close={edits.stopAsking}
        />
      )}
      {question.kind === 'move' && (
        <MoveDialog
          map={map}
          deviceid={question.deviceid}
          nameOf={carrying.nameOf}
          move={(target) => carrying.move(question.deviceid, target)}
          close={edits.stopAsking}
        />
      )}
    </Suspense>
  );
}
