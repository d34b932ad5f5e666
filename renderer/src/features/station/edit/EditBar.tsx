import { Layers2, Plus, Undo2, Wand2 } from 'lucide-react';
import { useStore } from 'zustand';
import { cellWords } from '../../../station/placeNames.ts';
import { Button } from '../../../kit/button/Button.tsx';
import parts from '../../../kit/parts.module.css';
import * as texts from '../../../words/texts.ts';
import { useLostFocus } from '../useStationKeys.ts';
import { type Carried, sameTarget, targetOf } from './carry.ts';
import styles from './EditBar.module.css';
import { deviceAt } from './mapChanges.ts';
import type { MapEditor } from './mapEditor.ts';
import type { NameOf } from './mapEdits.ts';
import type { Carrying } from './useCarrying.ts';

type Props = {
  editor: MapEditor;
  carrying: Carrying;
  /** Number of unplaced devices whose label names a place on the map. */
  arrangeable: number;
  arrange(): void;
  addRack(): void;
  /** Undefined if there are no racks, because zones consist of racks. */
  editZones: (() => void) | undefined;
  finish(): void;
};

/** Actions while the map is edited. Also announces to screen readers what is being moved. */
export function EditBar({ editor, carrying, arrangeable, arrange, addRack, editZones, finish }: Props) {
  const bar = useLostFocus<HTMLDivElement>();
  const carried = useStore(carrying.store, (state) => state.carried);
  const undoable = useStore(editor, (state) => state.undoable);
  const failure = useStore(editor, (state) => state.failure);
  return (
    <div ref={bar} tabIndex={-1} className={styles.bar} role="toolbar" aria-label={texts.map.edit}>
      <p className={styles.words}>
        <span role="status">{carried === undefined ? texts.map.howTo : carryWords(carried, carrying.nameOf)}</span>
        {/* Shows a failure that does not concern a device or a rack. */}
        {failure?.about === '' && (
          <span role="alert" className={parts.failure}>
            {failure.words}
          </span>
        )}
      </p>
      <div className={parts.row}>
        {arrangeable > 0 && (
          <Button icon={Wand2} onPress={arrange}>
            {texts.map.arrange(arrangeable)}
          </Button>
        )}
        <Button icon={Plus} onPress={addRack}>
          {texts.map.addRack}
        </Button>
        {editZones !== undefined && (
          <Button icon={Layers2} onPress={editZones}>
            {texts.zones.edit}
          </Button>
        )}
        <Button icon={Undo2} isDisabled={undoable === 0} onPress={editor.undo} aria-keyshortcuts="Control+Z">
          {texts.map.undo}
        </Button>
        <Button look="primary" onPress={finish}>
          {texts.map.done}
        </Button>
      </div>
    </div>
  );
}

/** Describes the picked-up device and the place to which it would move. */
function carryWords({ deviceid, target, map }: Carried, nameOf: NameOf): string {
  return texts.map.carrying(nameOf(deviceid), whereWords({ deviceid, target, map }, nameOf));
}

function whereWords({ deviceid, target, map }: Pick<Carried, 'deviceid' | 'target' | 'map'>, nameOf: NameOf): string {
  if (target === undefined || sameTarget(target, targetOf(map, deviceid))) return texts.map.back;
  if (target === 'tray') return texts.map.tray;
  const words = cellWords(map, target);
  const other = deviceAt(map, target);
  return other === undefined ? texts.map.free(words) : texts.map.occupied(words, nameOf(other));
}
