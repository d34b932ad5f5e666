import { BatteryLow, Check, Ellipsis, GripVertical, WifiOff, X } from 'lucide-react';
import { memo, type MouseEvent } from 'react';
import { useStore } from 'zustand';
import type { Device } from '#shared/api/device.ts';
import { careWords, ledWords, progressWords } from '../../shop/device/deviceWords.ts';
import { ledStyle, MiniLed } from '../../shop/device/Led.tsx';
import { type PressNote, usePresses } from '../../shop/device/usePresses.ts';
import { deviceAddress, originWords } from '../../station/addresses.ts';
import { useDevice, useLowBattery } from '../../station/context.ts';
import { nameOf } from '../../station/places.ts';
import { seenLight } from '../../station/seenLight.ts';
import { useTimed } from '../../station/time.ts';
import { Button } from '../../kit/button/Button.tsx';
import { Marked, SearchedProvider } from '../../kit/Marked.tsx';
import * as texts from '../../words/texts.ts';
import parts from '../../kit/parts.module.css';
import styles from './DeviceTile.module.css';
import { useCarry } from './edit/CarryGhost.tsx';
import type { Mode, TileActions } from './map/actions.ts';
import type { Metrics } from './map/metrics.ts';
import { tileLinkId } from './map/neighbor.ts';
import { useSought } from './map/sought.ts';
import { briefProgress, TileFace } from './map/TileFace.tsx';

type Props = {
  deviceid: string;
  metrics: Metrics;
  mode: Mode;
  /** Whether the device's panel is open. */
  selected: boolean;
  chosen: boolean;
  /** Explains why the last attempt to move the device failed. */
  failure: string | undefined;
  actions: TileActions;
};

/** The tile of a device. Rerenders only when that device changes. */
export const DeviceTile = memo(function DeviceTile(props: Props) {
  const device = useDevice(props.deviceid);
  if (device === undefined) return null;
  return <Tile {...props} device={device} />;
});

function Tile({ device, metrics, mode, selected, chosen, failure, actions }: Props & { device: Device }) {
  const { note, press, dismiss } = usePresses(device.deviceid);
  const carry = useCarry();
  const carried = useStore(carry, (state) => state.carried?.deviceid === device.deviceid);
  const { faded, marked } = useSought(device.deviceid, nameOf(device));
  const led = seenLight(device);
  const { shape } = metrics;
  const isPill = metrics.level === 'overview';
  const failed = failure ?? (note?.kind === 'failed' ? note.words : undefined);
  const control = { device, mode, selected, chosen, carried, marked, actions };
  return (
    <div
      className={styles.tile}
      style={ledStyle(led)}
      data-deviceid={device.deviceid}
      data-shape={shape}
      data-lit={(led !== undefined && led.mode !== 'off') || undefined}
      data-offline={!device.online || undefined}
      data-selected={selected || undefined}
      data-chosen={chosen || undefined}
      data-carried={carried || undefined}
      data-faded={faded || undefined}
      inert={faded}
      aria-hidden={faded || undefined}
    >
      {isPill ? (
        <div className={styles.casing} style={{ height: metrics.tile }}>
          <MiniLed led={led} />
          <div className={styles.pillWords}>
            <TileControl {...control} />
            <Notes device={device} note={note} brief />
          </div>
          <span className="visuallyHidden">{ledWords(led)}</span>
        </div>
      ) : (
        <>
          <div className={`${parts.middle2} ${styles.head}`}>
            <TileControl {...control} />
            {mode !== 'edit' && (
              <Notes device={device} note={note} brief={metrics.cell < 190} terse={mode === 'choose'} />
            )}
          </div>
          <div className={styles.casing} style={{ height: metrics.tile }}>
            <TileFace device={device} metrics={metrics} press={mode === 'look' ? press : undefined} />
          </div>
        </>
      )}
      {mode === 'edit' && !isPill && (
        <div className={styles.handles}>
          <span className={styles.grip} data-grip="true" aria-hidden="true">
            <GripVertical size={18} />
          </span>
          <Button
            icon={Ellipsis}
            look="icon"
            aria-label={texts.map.moveTo(nameOf(device))}
            onPress={() => actions.moveTo(device.deviceid)}
          />
        </div>
      )}
      {failed !== undefined && (
        <div role="alert" className={styles.failure}>
          <p>{failed}</p>
          <Button
            look="icon"
            aria-label={texts.device.dismiss}
            onPress={failure === undefined ? dismiss : actions.dismissFailure}
          >
            <X size={16} aria-hidden="true" />
          </Button>
        </div>
      )}
    </div>
  );
}

type NotesProps = {
  device: Device;
  note: PressNote | undefined;
  /** Whether there is little space for the text. */
  brief: boolean;
  /** Whether a checkbox leaves even less space. */
  terse?: boolean;
};

/** Text next to the name: the last press or, without one, a problem and its duration, and the progress. */
function Notes({ device, note, brief, terse = false }: NotesProps) {
  const progress = useTimed((now) => (brief ? briefProgress(device, now) : progressWords(device, now)));
  const isLow = useLowBattery(device.deviceid);
  const care = useTimed((now) => careWords(device, now, isLow));
  const CareIcon = device.online ? BatteryLow : WifiOff;
  const saysPress = note !== undefined && note.kind !== 'failed';
  return (
    <span className={`${parts.figures} ${styles.notes}`}>
      <span role="status" className={styles.press}>
        {saysPress ? note.words : ''}
      </span>
      {!saysPress && care !== '' && (
        <span className={styles.care}>
          {(!brief || terse) && <CareIcon size={14} aria-hidden="true" />}
          {brief && terse ? <span className="visuallyHidden">{care}</span> : care}
        </span>
      )}
      {/* If there is little space, show a problem instead of the progress. */}
      {!saysPress && progress !== '' && !(brief && care !== '') && <span>{progress}</span>}
    </span>
  );
}

type TileControlProps = {
  device: Device;
  mode: Mode;
  selected: boolean;
  chosen: boolean;
  carried: boolean;
  /** The search text, if the name contains it. Otherwise empty. */
  marked: string;
  actions: TileActions;
};

/** The name of a device, as a link. Handles clicks anywhere on the tile, which open, choose or pick up the device. */
function TileControl({ device, mode, selected, chosen, carried, marked, actions }: TileControlProps) {
  const { deviceid } = device;
  const [command] = device.commands;
  const name = nameOf(device);
  const common = {
    id: tileLinkId(deviceid),
    className: styles.name,
    'data-tile': deviceid,
    'data-unlabeled': device.locationoverride === '' || undefined,
  };

  function follow(event: MouseEvent): void {
    // Leave middle clicks to the browser, which opens a tab.
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
        <Name name={name} marked={marked} />
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
        <Name name={name} marked={marked} />
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
      <Name name={name} marked={marked} />
    </a>
  );
}

/** A name. If it is a DeviceID, the line can break after the colon. */
function Name({ name, marked }: { name: string; marked: string }) {
  const colon = name.indexOf(':') + 1;
  return (
    <bdi>
      <SearchedProvider value={marked}>
        <Marked text={name}>
          {name.slice(0, colon)}
          {colon > 0 && <wbr />}
          {name.slice(colon)}
        </Marked>
      </SearchedProvider>
    </bdi>
  );
}
