import { Pencil, Plus, Printer, Trash2 } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { arrowToPlace } from '#shared/lib/devices/deviceIs.ts';
import { Button } from '../../kit/button/Button.tsx';
import { Dialog } from '../../kit/dialog/Dialog.tsx';
import { SearchBox, useSearch } from '../../kit/field/SearchBox.tsx';
import { aliasKey } from '../../shop/labels/labelContents.ts';
import { RenamePlaceDialog } from '../../shop/place/RenamePlaceDialog.tsx';
import { ReplaceDialog } from '../../shop/replace/ReplaceDialog.tsx';
import { useStationState } from '../../station/context.ts';
import * as texts from '../../words/texts.ts';
import parts from '../../kit/parts.module.css';
import { ArrowPaper } from '../../shop/place/ArrowPaper.tsx';
import styles from './PlaceDialogs.module.css';
import { HangDialog, RemovePlaceDialog } from './WaitingDialogs.tsx';
import type { PlaceActions, PlaceQuestion } from './usePlaceActions.ts';

const AliasDialog = lazy(async () => {
  const { AliasDialog: component } = await import('./AliasDialog.tsx');
  return { default: component };
});

const LabelDialog = lazy(async () => {
  const { LabelDialog: component } = await import('./AliasDialog.tsx');
  return { default: component };
});

type Props = { asking: PlaceQuestion | undefined; actions: PlaceActions; close(): void };

/** Shows the dialog that a row or a button has opened, if any. */
export function PlaceDialogs({ asking, actions, close }: Props) {
  if (asking === undefined) return null;
  if (asking.kind === 'replace') {
    return <ReplaceDialog {...(asking.deviceid === undefined ? {} : { old: asking.deviceid })} close={close} />;
  }
  if (asking.kind === 'rename') return <RenamePlaceDialog from={asking.from} close={close} />;
  if (asking.kind === 'hang') return <HangDialog place={asking.place} close={close} />;
  if (asking.kind === 'removePlace') return <RemovePlaceDialog row={asking.row} close={close} />;
  if (asking.kind === 'aliases') return <AliasesDialog deviceid={asking.deviceid} actions={actions} close={close} />;
  return (
    <Suspense>
      {asking.kind === 'alias' ? (
        <AliasDialog {...asking} close={close} />
      ) : (
        <LabelDialog deviceid={asking.deviceid} close={close} />
      )}
    </Suspense>
  );
}

/** Maximum number of aliases to list. The search finds the rest. */
const MAX_DRAWN = 100;
/** Up to this number of aliases, the list has no search. */
const FEW = 8;
const NO_ALIASES: readonly never[] = [];
const words = texts.places.aliasList;

type AliasesProps = { deviceid: string; actions: PlaceActions; close(): void };

/** Lists all aliases of a device, with actions on each. */
function AliasesDialog({ deviceid, actions, close }: AliasesProps) {
  const aliases = useStationState(({ station }) => station?.aliases ?? NO_ALIASES);
  const name = useStationState(({ places }) => places.find((each) => each.deviceid === deviceid)?.name ?? deviceid);
  const search = useSearch();
  const own = aliases.filter((alias) => alias.deviceid === deviceid);
  const wanted = search.typed.trim().toLowerCase();
  const found = own.filter((alias) => alias.name.toLowerCase().includes(wanted));
  const { addAlias, editAlias, removeLocationAlias, print } = actions;
  return (
    <Dialog
      title={words.title(name)}
      size="large"
      isOpen
      onClose={close}
      actions={
        <>
          <Button icon={Plus} words={texts.places.add} needs="edit_labels" onPress={() => addAlias?.(deviceid)} />
          <Button words={texts.frame.close} look="primary" onPress={close} />
        </>
      }
    >
      {own.length > FEW && (
        <SearchBox
          label={words.search}
          clearLabel={texts.places.clearSearch}
          input={search.input}
          value={search.value}
          onChange={search.onChange}
        />
      )}
      <ul className={`${parts.panel} ${styles.list}`} aria-label={words.title(name)}>
        {found.slice(0, MAX_DRAWN).map((alias) => (
          <li key={alias.id} className={styles.row}>
            <ArrowPaper arrow={arrowToPlace(alias.deviceIs)} />
            <span className={parts.column1}>
              <span className={styles.name}>{alias.name}</span>
              <span className={parts.quiet}>{alias.deviceIs}</span>
            </span>
            <Button look="icon" aria-label={words.print(alias.name)} onPress={() => print([aliasKey(alias)])}>
              <Printer size={18} aria-hidden="true" />
            </Button>
            {editAlias !== undefined && (
              <Button look="icon" aria-label={texts.places.edit(alias.name)} onPress={() => editAlias(alias)}>
                <Pencil size={18} aria-hidden="true" />
              </Button>
            )}
            {removeLocationAlias !== undefined && (
              <Button look="icon" aria-label={words.remove(alias.name)} onPress={() => removeLocationAlias(alias)}>
                <Trash2 size={18} aria-hidden="true" />
              </Button>
            )}
          </li>
        ))}
        {found.length > MAX_DRAWN && <li className={styles.more}>{words.more(found.length - MAX_DRAWN)}</li>}
        {found.length === 0 && <li className={styles.more}>{own.length === 0 ? words.none : words.noMatch}</li>}
      </ul>
    </Dialog>
  );
}
