import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { NewZone, StationMap, Zone } from '#shared/api/map.ts';
import { MAX_ZONES } from '#shared/lib/places/mapLimits.ts';
import { useAct } from '../../../useAct.ts';
import { Button } from '../../../kit/button/Button.tsx';
import { Dialog } from '../../../kit/dialog/Dialog.tsx';
import { LineField } from '../../../kit/field/fields.tsx';
import { Failure } from '../../../kit/feedback/EmptyState.tsx';
import parts from '../../../kit/parts.module.css';
import * as texts from '../../../words/texts.ts';
import styles from './dialogs.module.css';
import { EditDialog } from './EditDialog.tsx';

const words = texts.zones;

type Props = {
  map: StationMap;
  /** Saves a zone, or creates one if `zone` is undefined. Rejects if the station refuses it. */
  save(zone: Zone | undefined, wanted: NewZone): Promise<void>;
  remove(zone: Zone): Promise<void>;
  close(): void;
};

/** Edits zones: their names, and which racks belong to each. */
export function ZonesDialog({ map, save, remove, close }: Props) {
  const [edited, setEdited] = useState<{ zone: Zone | undefined }>();
  if (edited === undefined) return <ZoneList map={map} edit={(zone) => setEdited({ zone })} {...{ remove, close }} />;
  return <ZoneForm map={map} zone={edited.zone} save={save} close={() => setEdited(undefined)} />;
}

type ListProps = Pick<Props, 'map' | 'remove' | 'close'> & { edit(zone: Zone | undefined): void };

function ZoneList({ map, remove, close, edit }: ListProps) {
  const removal = useAct(remove, texts.map.failed);

  function rackNames({ racks }: Zone): string {
    const names = map.racks.filter(({ id }) => racks.includes(id)).map(({ name }) => texts.map.rackTitle(name));
    return names.length === 0 ? words.noRacks : names.join(', ');
  }

  return (
    <Dialog
      title={words.title}
      isOpen
      onClose={close}
      actions={
        <Button look="primary" onPress={close}>
          {words.done}
        </Button>
      }
    >
      <div className={parts.stack4}>
        <p className={parts.quiet}>{map.zones.length === 0 ? `${words.about} ${words.none}` : words.about}</p>
        {map.zones.length > 0 && (
          <ul className={styles.zones} aria-label={words.title}>
            {map.zones.map((zone) => (
              <li key={zone.id} className={`${parts.stack1} ${styles.zone}`}>
                <span className={styles.zoneWords}>
                  <span className={styles.title}>{zone.name}</span>
                  <span className={parts.quiet}>{rackNames(zone)}</span>
                </span>
                <Button icon={Pencil} look="icon" aria-label={words.editOne(zone.name)} onPress={() => edit(zone)} />
                <Button
                  icon={Trash2}
                  look="icon"
                  aria-label={words.removeOne(zone.name)}
                  onPress={() => removal.run(zone)}
                />
              </li>
            ))}
          </ul>
        )}
        <div className={styles.add}>
          {/* Gets the focus when a zone's form closes. */}
          <Button icon={Plus} autoFocus isDisabled={map.zones.length >= MAX_ZONES} onPress={() => edit(undefined)}>
            {words.add}
          </Button>
        </div>
        <Failure>{removal.status === 'failed' && removal.failure}</Failure>
      </div>
    </Dialog>
  );
}

type FormProps = Pick<Props, 'map' | 'save' | 'close'> & { zone: Zone | undefined };

function ZoneForm({ map, zone, save, close }: FormProps) {
  const [name, setName] = useState(zone?.name ?? '');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(zone?.racks));
  const wanted = name.trim();

  function saveNow(): Promise<void> {
    const racks = map.racks.filter(({ id }) => chosen.has(id)).map(({ id }) => id);
    return save(zone, { name: wanted, racks });
  }

  function toggle(id: string): void {
    setChosen((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  }

  return (
    <EditDialog
      title={zone === undefined ? words.add : words.editTitle(zone.name)}
      problem={() => (wanted === '' ? words.nameless : '')}
      save={saveNow}
      close={close}
    >
      <LineField name="name" label={words.name} value={name} onChange={setName} autoFocus />
      <div className={styles.racks} role="group" aria-label={words.racks}>
        <p className={styles.title}>{words.racks}</p>
        {map.racks.map((rack) => (
          <label key={rack.id} className={`${parts.middle3} ${styles.rack}`}>
            <input type="checkbox" checked={chosen.has(rack.id)} onChange={() => toggle(rack.id)} />
            {texts.map.rackTitle(rack.name)}
          </label>
        ))}
      </div>
    </EditDialog>
  );
}
