import { useState } from 'react';
import { ScannerLinks } from '../../scan/ScannerLinks.tsx';
import { useStationContext, useStationState } from '../../station/context.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import { Dialog } from '../../kit/dialog/Dialog.tsx';
import * as texts from '../../words/texts.ts';
import { SwitchField } from '../../kit/field/fields.tsx';
import { BigButton } from './BigButton.tsx';
import { EnterChoices } from './EnterChoices.tsx';
import { Disc } from './Disc.tsx';
import { areLettersOn, setLettersOn } from './session/letters.ts';
import { placeOf, shelfWords } from './session/lines.ts';
import styles from './Pick.module.css';
import type { PickLine } from './session/sessionTypes.ts';
import type { PickState } from './usePick.ts';

const words = texts.pick;
const more = words.moreDialog;

type Props = { line: PickLine; pick: PickState };
type Part = 'handOver' | 'scanner' | 'place';

/** The dialog with rare actions: undo, skip, flash, pause, hand over and leave. */
export function MoreDialog({ line, pick }: Props) {
  const [part, setPart] = useState<Part>();
  const { touch, undoable } = pick;
  const titles = {
    handOver: words.handOver.title,
    scanner: more.scanner,
    place: words.wrongPlace.title(placeOf(line)),
  };
  return (
    <Dialog
      title={part === undefined ? more.title(placeOf(line)) : titles[part]}
      isOpen
      onClose={() => touch({ touch: 'close' })}
      size="gloves"
    >
      <div className={styles.choices} data-refused={pick.isRefused || undefined} data-inert={pick.isInert || undefined}>
        {part === 'scanner' && <Scanner />}
        {part === 'handOver' && <HandOver pick={pick} />}
        {part === 'place' && <WrongPlace line={line} pick={pick} />}
        {part === undefined && (
          <>
            {undoable !== undefined && (
              <BigButton onPress={() => touch({ touch: 'undo' })}>{more.undo(undoable.place)}</BigButton>
            )}
            <BigButton onPress={() => touch({ touch: 'skip' })}>{more.skip}</BigButton>
            <Light line={line} pick={pick} />
            <BigButton onPress={() => setPart('place')}>{more.wrongPlace}</BigButton>
            <BigButton onPress={() => touch({ touch: 'pause' })}>{more.pause}</BigButton>
            <BigButton onPress={() => setPart('handOver')}>{more.handOver}</BigButton>
            <BigButton onPress={() => touch({ touch: 'leave' })}>{more.leave}</BigButton>
            <BigButton onPress={() => setPart('scanner')}>{more.scanner}</BigButton>
          </>
        )}
      </div>
    </Dialog>
  );
}

function Scanner() {
  const [isOn, setOn] = useState(areLettersOn);
  return (
    <div className={styles.scanner}>
      <ScannerLinks />
      <SwitchField
        label={more.letters}
        value={isOn}
        onChange={(value) => {
          setLettersOn(value);
          setOn(value);
        }}
      />
      <EnterChoices />
    </div>
  );
}

function Light({ line, pick: { touch } }: Props) {
  return line.deviceid === null ? (
    <BigButton onPress={() => touch({ touch: 'relight' })}>{more.relight}</BigButton>
  ) : (
    <BigButton onPress={() => touch({ touch: 'identify' })}>{more.identify}</BigButton>
  );
}

function HandOver({ pick: { me, touch } }: Pick<Props, 'pick'>) {
  const { api } = useStationContext();
  const pickers = useStationQuery(['pickers'], () => api.listPickers());
  const others = (pickers.value ?? []).filter(({ name }) => name !== me);
  return (
    <>
      {others.length === 0 && <p className={styles.says}>{words.handOver.nobody}</p>}
      {others.map(({ name, color }) => (
        <BigButton key={name} onPress={() => touch({ touch: 'handOver', picker: name })}>
          {color !== null && <Disc color={color} />}
          {name}
        </BigButton>
      ))}
    </>
  );
}

/** Explains why the page sends the person to this place, and lists other places of the article. */
function WrongPlace({ line, pick }: Props) {
  const map = useStationState(({ station }) => station?.map);
  const ordered = pick.order?.shipments
    .flatMap(({ items }) => items)
    .find(({ id }) => id === line.item_id)?.warehouse_location;
  const facts = [
    ordered === undefined || ordered === '' ? '' : words.wrongPlace.ordered(ordered),
    line.deviceid === null
      ? words.wrongPlace.noLight
      : words.wrongPlace.light(placeOf(line), map === undefined ? '' : shelfWords(map, line.deviceid)),
    line.elsewhere.length === 0 ? '' : words.wrongPlace.elsewhere(line.elsewhere.map(placeOf)),
  ];
  return (
    <>
      <p className={styles.says}>{facts.filter((fact) => fact !== '').join(' ')}</p>
      <Light line={line} pick={pick} />
      <BigButton onPress={() => pick.touch({ touch: 'short' })}>{words.wrongPlace.notHere}</BigButton>
    </>
  );
}
