import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { Rack, StationMap } from '#shared/api/map.ts';
import type { PlaceRename } from '#shared/api/placeRename.ts';
import { MAX_RENAMED } from '#shared/lib/places/mapLimits.ts';
import { Button } from '../../../kit/button/Button.tsx';
import { ChoiceList } from '../../../kit/field/ChoiceList.tsx';
import { LineField, fieldsOf } from '../../../kit/field/fields.tsx';
import { WholeNumberField } from '../../../kit/field/NumberLine.tsx';
import parts from '../../../kit/parts.module.css';
import { useRight, useStationState } from '../../../station/context.ts';
import { useDarkPlaces } from '../../../station/useDarkPlaces.ts';
import * as texts from '../../../words/texts.ts';
import styles from './dialogs.module.css';
import { EditDialog } from './EditDialog.tsx';
import { draftOf, newDraft, placesPreview, problemOf, type RackDraft, renamedShelves } from './rackDraft.ts';
import { placesToRename } from './rackPlaces.ts';

type Props = {
  map: StationMap;
  /** The rack to edit, or undefined for a new one. */
  rack: Rack | undefined;
  /** Saves the rack. Rejects if the station refuses it; the dialog then shows the reason and stays open. */
  save(draft: RackDraft, renames: readonly PlaceRename[]): Promise<void>;
  close(): void;
};

/** Edits the name, note, columns and shelves of a rack. */
export function RackDialog({ map, rack, save, close }: Props) {
  const [draft, setDraft] = useState(() => (rack === undefined ? newDraft(map) : draftOf(rack)));
  const [named, setNamed] = useState(draft.name);
  const { shelves } = draft;
  const names = usePlaceNames();
  const renames = rack === undefined ? [] : placesToRename(map.racks, rack, draft, names);
  const [meaning, setMeaning] = useState<Meaning>('');
  const mayRename = useRight('edit_stock');
  const asks = renames.length > 0 && mayRename;
  const lost = rack === undefined ? 0 : map.places.filter((place) => loses(rack, draft, place)).length;

  function change(next: Partial<RackDraft>): void {
    setDraft((before) => ({ ...before, ...next }));
  }

  /** Renames the rack and its shelves. Does not rename the shelves while the rack's name is empty. */
  function rename(name: string): void {
    if (name.trim() === '') return change({ name });
    setNamed(name);
    change({ name, shelves: renamedShelves(shelves, named, name) });
  }

  function moveShelf(from: number, to: number): void {
    const shelf = shelves[from];
    if (shelf !== undefined) change({ shelves: shelves.toSpliced(from, 1).toSpliced(to, 0, shelf) });
  }

  const field = fieldsOf(draft, change);
  return (
    <EditDialog
      title={rack === undefined ? texts.map.addRack : texts.map.rackEditTitle(rack.name)}
      problem={() => problemOf(draft) || (asks ? meaningProblem(meaning, renames.length) : '')}
      save={() => save(draft, asks && meaning === 'rename' ? renames : [])}
      close={close}
    >
      <LineField {...field('name')} label={texts.map.rackName} onChange={rename} autoFocus />
      <LineField {...field('note')} label={texts.map.rackNote} hint={texts.map.rackNoteHint} />
      <WholeNumberField
        {...field('columns')}
        label={texts.map.rackColumns}
        onChange={(columns) => change({ columns: columns ?? 0 })}
      />
      <div className={parts.stack2} role="group" aria-label={texts.map.shelves}>
        <p className={styles.title}>{texts.map.shelves}</p>
        {shelves.map((shelf, at) => (
          <div key={shelf.key} className={`${parts.stack1} ${styles.shelf}`}>
            <input
              className={styles.name}
              aria-label={texts.map.shelfName(at + 1)}
              value={shelf.name}
              onChange={(event) => change({ shelves: shelves.with(at, { ...shelf, name: event.target.value }) })}
            />
            <Button
              icon={ArrowUp}
              look="icon"
              aria-label={texts.map.shelfUp(shelf.name)}
              isDisabled={at === 0}
              onPress={() => moveShelf(at, at - 1)}
            />
            <Button
              icon={ArrowDown}
              look="icon"
              aria-label={texts.map.shelfDown(shelf.name)}
              isDisabled={at === shelves.length - 1}
              onPress={() => moveShelf(at, at + 1)}
            />
            <Button
              icon={Trash2}
              look="icon"
              aria-label={texts.map.shelfRemove(shelf.name)}
              onPress={() => change({ shelves: shelves.toSpliced(at, 1) })}
            />
          </div>
        ))}
        <div className={styles.add}>
          <Button icon={Plus} onPress={() => change({ shelves: [...shelves, nextShelf(draft)] })}>
            {texts.map.shelfAdd}
          </Button>
        </div>
      </div>
      <p className={parts.quiet} role="status">
        {placesPreview(draft)}
      </p>
      {asks && (
        <ChoiceList<Meaning>
          name="meaning"
          label={texts.map.placesMeaning.label(renames.length)}
          choices={[
            {
              id: 'rename',
              word: texts.map.placesMeaning.rename,
              help: texts.map.placesMeaning.renameHelp(renames[0]?.from ?? '', renames[0]?.to ?? ''),
            },
            { id: 'keep', word: texts.map.placesMeaning.keep, help: texts.map.placesMeaning.keepHelp },
          ]}
          value={meaning}
          onChange={setMeaning}
        />
      )}
      <p className={parts.care} role="status">
        {lost === 0 ? '' : texts.map.losesPlaces(lost)}
      </p>
    </EditDialog>
  );
}

/** Whether the places get the new names of their shelves. Empty before the choice. */
type Meaning = '' | 'rename' | 'keep';

/** Explains why the answer about the names of the places cannot be saved. Returns an empty text if it can. */
function meaningProblem(meaning: Meaning, many: number): string {
  if (meaning === '') return texts.map.placesMeaning.none;
  return meaning === 'rename' && many > MAX_RENAMED ? texts.map.placesMeaning.limit(MAX_RENAMED) : '';
}

/** Returns the names of all places, with and without a light. */
function usePlaceNames(): readonly string[] {
  const places = useStationState((state) => state.places);
  const aliases = useStationState(({ station }) => station?.aliases);
  const dark = useDarkPlaces();
  return useMemo(() => [...places, ...(aliases ?? []), ...dark].map(({ name }) => name), [places, aliases, dark]);
}

function nextShelf({ name, shelves }: RackDraft): RackDraft['shelves'][number] {
  const number = shelves.length + 1;
  return { key: `new ${Date.now()} ${number}`, name: name.trim() === '' ? String(number) : `${name.trim()}-${number}` };
}

/** Whether the device at this place of the rack would lose its place. */
function loses(rack: Rack, draft: RackDraft, place: { shelf: string; column: number }): boolean {
  if (!rack.shelves.some(({ id }) => id === place.shelf)) return false;
  return place.column >= draft.columns || !draft.shelves.some(({ id }) => id === place.shelf);
}
