import { useMemo, useState } from 'react';
import { Button } from 'react-aria-components';
import { useStationState } from '../../station/context.ts';
import { useWaiting } from '../../station/useWaiting.ts';
import { Dialog } from '../../kit/dialog/Dialog.tsx';
import { LineField } from '../../kit/field/fields.tsx';
import parts from '../../kit/parts.module.css';
import { setupDevices as words } from '../../words/setupDevices.ts';
import styles from './SetupDevices.module.css';

/** Maximum number of devices to list. Typing narrows the list. */
const SHOWN = 40;

/** Lets the person choose a device without pressing it. Lists new devices first, then those without a label. */
export function ChooseDevice({ choose, close }: { choose(deviceid: string): void; close(): void }) {
  const places = useStationState((state) => state.places);
  const { waiting } = useWaiting();
  const [text, setText] = useState('');
  const rows = useMemo(() => {
    const isBare = ({ deviceid, name }: { deviceid: string; name: string }) => name === deviceid;
    return [
      ...waiting.map(({ deviceid }) => ({ deviceid, note: words.list.isNew })),
      ...places.filter(isBare).map(({ deviceid }) => ({ deviceid, note: words.list.noLabel })),
      ...places.filter((place) => !isBare(place)).map(({ deviceid, name }) => ({ deviceid, note: name })),
    ];
  }, [places, waiting]);
  const wanted = text.trim().toLowerCase();
  const found = rows.filter((row) => `${row.deviceid}\n${row.note}`.toLowerCase().includes(wanted));
  return (
    <Dialog title={words.list.title} isOpen onClose={close}>
      <LineField name="find" label={words.list.search} value={text} onChange={setText} autoComplete="off" />
      {found.length === 0 && <p role="status">{words.list.none}</p>}
      <ul className={styles.rows} aria-label={words.list.title}>
        {found.slice(0, SHOWN).map(({ deviceid, note }) => (
          <li key={deviceid}>
            <Button className={styles.row ?? ''} onPress={() => choose(deviceid)}>
              <span className={styles.rowName}>{deviceid}</span>
              <span className={parts.quiet}>{note}</span>
            </Button>
          </li>
        ))}
      </ul>
      {found.length > SHOWN && <p className={parts.quiet}>{words.list.more(found.length - SHOWN)}</p>}
    </Dialog>
  );
}
