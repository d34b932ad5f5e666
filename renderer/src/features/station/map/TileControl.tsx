import { Check } from 'lucide-react';
import type { MouseEvent } from 'react';
import type { Device } from '#shared/api/device.ts';
import { deviceAddress, originWords } from '../../../station/addresses.ts';
import { nameOf } from '../../../station/places.ts';
import { texts } from '../../../ui/texts.ts';
import styles from '../DeviceTile.module.css';
import { tileLinkId } from '../tileLinkId.ts';
import type { Mode, TileActions } from './actions.ts';

type Props = {
  device: Device;
  mode: Mode;
  selected: boolean;
  chosen: boolean;
  carried: boolean;
  actions: TileActions;
};

/** The name of a device, and what a click anywhere on its tile does: opens, chooses or carries it. */
export function TileControl({ device, mode, selected, chosen, carried, actions }: Props) {
  const { deviceid } = device;
  const [command] = device.commands;
  const name = nameOf(device);
  const common = {
    id: tileLinkId(deviceid),
    className: styles.name,
    'data-tile': deviceid,
    'data-unlabelled': device.locationoverride === '' || undefined,
  };

  function follow(event: MouseEvent): void {
    // A middle click is the browser's: another tab.
    if (event.altKey || event.button !== 0) return;
    event.preventDefault();
    if (event.ctrlKey || event.metaKey || event.shiftKey) actions.choose(deviceid, event.shiftKey);
    else actions.open(deviceid);
  }

  if (mode === 'choose') {
    return (
      <button
        {...common}
        type="button"
        role="checkbox"
        aria-checked={chosen}
        aria-label={texts.choose.one(name)}
        onClick={(event) => actions.choose(deviceid, event.shiftKey)}
      >
        <span className={styles.mark}>{chosen && <Check size={14} strokeWidth={3} aria-hidden="true" />}</span>
        <Name name={name} />
      </button>
    );
  }
  if (mode === 'edit') {
    return (
      <button
        {...common}
        type="button"
        aria-pressed={carried}
        aria-label={texts.map.pickUp(name)}
        onClick={() => actions.carry(deviceid)}
      >
        <Name name={name} />
      </button>
    );
  }
  return (
    <a
      {...common}
      href={deviceAddress(deviceid)}
      aria-current={selected || undefined}
      aria-label={name}
      title={[name, ...(command === undefined ? [] : [originWords(command)])].filter(Boolean).join(', ')}
      onClick={follow}
    >
      <Name name={name} />
    </a>
  );
}

/** A DeviceID may break where its halves meet. */
function Name({ name }: { name: string }) {
  const colon = name.indexOf(':') + 1;
  return (
    <bdi>
      {name.slice(0, colon)}
      {colon > 0 && <wbr />}
      {name.slice(colon)}
    </bdi>
  );
}
