import { useState } from 'react';
import type { StationMap } from '#shared/api/map.ts';
import { findShelf } from '../../../station/placeNames.ts';
import { Button } from '../../../kit/button/Button.tsx';
import { ChoiceField } from '../../../kit/field/choiceFields.tsx';
import { Dialog } from '../../../kit/dialog/Dialog.tsx';
import parts from '../../../kit/parts.module.css';
import * as texts from '../../../words/texts.ts';
import { type DropTarget, targetOf } from './carry.ts';
import { deviceAt } from './mapChanges.ts';
import type { NameOf } from './mapEdits.ts';

type Props = { map: StationMap; deviceid: string; nameOf: NameOf; move(target: DropTarget): void; close(): void };

const TRAY = 'tray';

/** Moves a device without dragging: the person chooses shelf and column. */
export function MoveDialog({ map, deviceid, nameOf, move, close }: Props) {
  const now = targetOf(map, deviceid);
  const first = map.racks.flatMap(({ shelves }) => shelves)[0]?.id ?? TRAY;
  const [shelf, setShelf] = useState(now === 'tray' ? first : now.shelf);
  const [column, setColumn] = useState(now === 'tray' ? undefined : now.column);
  const rack = findShelf(map, shelf)?.rack;
  const columns = Array.from({ length: rack?.columns ?? 0 }, (_, index) => index);
  const free = columns.find((index) => deviceAt(map, { shelf, column: index }) === undefined);
  const chosen = column !== undefined && column < columns.length ? column : (free ?? 0);

  function columnWords(index: number): string {
    const there = deviceAt(map, { shelf, column: index });
    if (there === undefined) return texts.map.columnFree(index + 1);
    return there === deviceid ? texts.map.columnOwn(index + 1) : texts.map.columnTaken(index + 1, nameOf(there));
  }

  function submit(): void {
    close();
    move(shelf === TRAY ? 'tray' : { shelf, column: chosen });
  }

  return (
    <Dialog
      title={texts.map.moveTitle(nameOf(deviceid))}
      isOpen
      onClose={close}
      actions={
        <>
          <Button onPress={close}>{texts.frame.cancel}</Button>
          <Button look="primary" onPress={submit}>
            {texts.map.moveHere}
          </Button>
        </>
      }
    >
      <div className={parts.stack4}>
        <ChoiceField
          name="shelf"
          label={texts.map.moveShelf}
          value={shelf}
          onChange={(id) => {
            setShelf(id);
            setColumn(undefined);
          }}
          choices={[
            ...map.racks.flatMap((each) =>
              each.shelves.map(({ id, name }) => ({ id, text: `${texts.map.rackTitle(each.name)} · ${name}` })),
            ),
            { id: TRAY, text: texts.map.tray },
          ]}
        />
        {shelf !== TRAY && (
          <ChoiceField
            name="column"
            label={texts.map.moveColumn}
            value={String(chosen)}
            onChange={(id) => setColumn(Number(id))}
            choices={columns.map((index) => ({ id: String(index), text: columnWords(index) }))}
          />
        )}
      </div>
    </Dialog>
  );
}
