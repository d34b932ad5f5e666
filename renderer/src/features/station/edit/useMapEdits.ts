import { useEffect, useMemo, useState } from 'react';
import type { NewZone, Rack, Zone } from '#shared/api/map.ts';
import type { PlaceRename } from '#shared/api/placeRename.ts';
import { findLabeledCell, isPlaceLabel } from '#shared/lib/places/placeLabel.ts';
import { useRight, useStationContext, useStationState } from '../../../station/context.ts';
import { useChangePlaces, useDarkPlaces } from '../../../station/useDarkPlaces.ts';
import { useToasts } from '../../../shop/toasts.ts';
import * as texts from '../../../words/texts.ts';
import { createMapEditor, type MapEditor } from './mapEditor.ts';
import * as mapEdits from './mapEdits.ts';
import { type RackDraft, toNewRack, toRackChange } from './rackDraft.ts';
import type { RackEdits } from './RackEdits.tsx';

/** The open dialog. */
export type MapQuestion =
  | { kind: 'rack'; rack: Rack | undefined }
  | { kind: 'move'; deviceid: string }
  | { kind: 'zones' }
  | { kind: 'left'; left: readonly mapEdits.NotArranged[] };

export type MapEdits = {
  rackEdits: RackEdits;
  question: MapQuestion | undefined;
  askRack(): void;
  askMove(deviceid: string): void;
  askZones(): void;
  stopAsking(): void;
  /** Saves a rack, or creates one if `rack` is undefined, and renames places in the same commit. Rejects if the station refuses it. */
  saveRack(rack: Rack | undefined, draft: RackDraft, renames: readonly PlaceRename[]): Promise<void>;
  saveZone(zone: Zone | undefined, wanted: NewZone): Promise<void>;
  removeZone(zone: Zone): Promise<void>;
  arrange(): void;
  /** Number of unplaced devices, and of places without a light, whose name is that of a cell that is free or not drawn yet. */
  arrangeable: number;
};

const NO_MAP = { racks: [], places: [] };

/**
 * Returns the edits to the map, except for moving devices. Failures are shown at the rack, in the bar, or in the
 * dialog.
 */
export function useMapEdits(editor: MapEditor): MapEdits {
  const { api } = useStationContext();
  const changePlaces = useChangePlaces();
  const toasts = useToasts();
  const [question, setQuestion] = useState<MapQuestion>();
  const map = useStationState(({ station }) => station?.map ?? NO_MAP);
  const named = useStationState((state) => state.places);
  const mayArrange = useRight('edit_map');
  const dark = useDarkPlaces({ isOn: mayArrange });
  const arrangeable = useMemo(() => {
    const placed = new Set(map.places.map(({ deviceid }) => deviceid));
    const devices = named.filter(({ deviceid, name }) => !placed.has(deviceid) && isPlaceLabel(map.racks, name));
    const cells = dark.filter(
      ({ name }) => isPlaceLabel(map.racks, name) && findLabeledCell(map.racks, name) === undefined,
    );
    return devices.length + cells.length;
  }, [map, named, dark]);

  const fixed = useMemo(() => {
    const quietly = (edit: Parameters<MapEditor['run']>[0]) => void editor.run(edit).catch(() => undefined);
    const arrange = () => quietly(mapEdits.arrangeEdit((left) => setQuestion({ kind: 'left', left })));
    const rackEdits = {
      edit: (rack: Rack) => setQuestion({ kind: 'rack', rack }),
      remove: (rack: Rack) => quietly(mapEdits.removeRackEdit(rack)),
      move: (rack: Rack, index: number) => quietly(mapEdits.changeRackEdit(rack, { index })),
      arrange,
    };
    return {
      rackEdits,
      askRack: () => setQuestion({ kind: 'rack', rack: undefined }),
      askMove: (deviceid: string) => setQuestion({ kind: 'move', deviceid }),
      askZones: () => setQuestion({ kind: 'zones' }),
      stopAsking: () => setQuestion(undefined),
      async saveRack(rack: Rack | undefined, draft: RackDraft, renames: readonly PlaceRename[]): Promise<void> {
        if (rack === undefined) return editor.run(mapEdits.addRackEdit(toNewRack(draft)));
        if (renames.length === 0) return editor.run(mapEdits.changeRackEdit(rack, toRackChange(draft)));
        const edit = mapEdits.changeRackEdit(rack, { ...toRackChange(draft), rename_places: [...renames] });
        await changePlaces(() => editor.run(edit));
        toasts.show(texts.map.placesMeaning.done(renames.length), {
          async undo() {
            await changePlaces(() =>
              api.renamePlaces({ body: renames.map(({ from, to }) => ({ from: to, to: from })) }),
            );
          },
        });
      },
      saveZone: (zone: Zone | undefined, wanted: NewZone) =>
        editor.run(zone === undefined ? mapEdits.addZoneEdit(wanted) : mapEdits.changeZoneEdit(zone, wanted)),
      removeZone: (zone: Zone) => editor.run(mapEdits.removeZoneEdit(zone)),
      arrange,
    };
  }, [editor, api, changePlaces, toasts]);

  const rackEdits = useMemo<RackEdits>(() => ({ ...fixed.rackEdits, arrangeable }), [fixed, arrangeable]);
  return { ...fixed, rackEdits, question, arrangeable };
}

/** Creates the editor for this page's map. */
export function useMapEditor(): MapEditor {
  const { store, api } = useStationContext();
  const toasts = useToasts();
  const editor = useMemo(
    () =>
      createMapEditor({
        store,
        api,
        // Only the newest edit has an Undo button. Older edits can be undone with Ctrl+Z.
        announce: ({ words, kind }, undo) => toasts.show(words, { undo, topic: `map ${kind}` }),
        fail: toasts.fail,
      }),
    [store, api, toasts],
  );
  useEffect(() => editor.start(), [editor]);
  return editor;
}
