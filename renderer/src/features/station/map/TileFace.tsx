import { Minus, Plus } from 'lucide-react';
import type { CSSProperties } from 'react';
import { Link } from 'wouter';
import type { CommandEntry, Device } from '#shared/api/device.ts';
import { heardWords, ledWords } from '../../../shop/device/deviceWords.ts';
import { Led } from '../../../shop/device/Led.tsx';
import { PressButton } from '../../../shop/device/PressButton.tsx';
import { isUsual } from '../../../shop/screen/isUsual.ts';
import { ScreenCanvas } from '../../../shop/screen/ScreenCanvas.tsx';
import { originAddress, originWords } from '../../../station/addresses.ts';
import type { SimulatedButton, SimulatedHold } from '../../../station/calls/api.ts';
import { countWaiting } from '../../../station/conditions.ts';
import { nameOf } from '../../../station/places.ts';
import { seenLight } from '../../../station/seenLight.ts';
import { formatTimeLeft, useTimed } from '../../../station/time.ts';
import * as texts from '../../../words/texts.ts';
import type { Metrics } from './metrics.ts';
import parts from '../../../kit/parts.module.css';
import styles from './TileFace.module.css';

type Props = {
  device: Device;
  metrics: Metrics;
  /** Presses a button of the device. If undefined, the buttons are disabled. */
  press: ((button: SimulatedButton, hold: SimulatedHold) => void) | undefined;
};

/** A device as it looks on the shelf: its screen, with the lit front button next to or below it. */
export function TileFace({ device, metrics: { shape, screen }, press }: Props) {
  const { displayed, voltage, screen_size: size } = device;
  if (!device.capabilities.screen) return <LightFace device={device} />;
  const hint = paperHint(device);
  return (
    <div className={styles.face} data-shape={shape} style={{ '--screen': `${screen.width + 8}px` } as CSSProperties}>
      <div className={styles.paper} data-other-size={isUsual(size) ? undefined : ''}>
        <ScreenCanvas
          screen={displayed?.screen ?? null}
          firmware={device.firmware}
          batteryMv={voltage === null ? null : Math.round(voltage * 1_000)}
          size={size}
          scale={screen.scale}
          blankWords={texts.device.blank}
        />
        {hint !== '' && <p className={styles.hint}>{hint}</p>}
      </div>
      {/* Plus and minus would be too narrow for a finger here. The closest zoom level and the panel have them. */}
      <Buttons device={device} withKeys={shape !== 'side'} press={device.can_press ? press : undefined} />
      {(shape === 'close' || shape === 'closeWide') && <Words device={device} />}
    </div>
  );
}

/** A place on an LED strip, with its current work in words. */
function LightFace({ device }: { device: Device }) {
  const led = seenLight(device);
  const [command] = device.commands;
  return (
    <div className={styles.face} data-shape="light">
      <Led led={led} size="bar" />
      <span className="visuallyHidden">{ledWords(led)}</span>
      <p className={styles.lightWords}>{command === undefined ? texts.map.notLit : whatWords(command)}</p>
    </div>
  );
}

function Buttons({ device, withKeys, press }: { device: Device; withKeys: boolean; press: Props['press'] }) {
  const led = seenLight(device);
  const words = ledWords(led);
  const name = nameOf(device);
  const keys = device.buttons === 3;
  const light = <Led led={led} size="tile" />;
  return (
    <div className={`${parts.centered} ${styles.buttons}`} data-keys={(keys && withKeys) || undefined}>
      {press === undefined ? (
        <span className={styles.light}>
          {light}
          <span className="visuallyHidden">{words}</span>
        </span>
      ) : (
        <PressButton
          shape="round"
          label={`${texts.device.front(name)}, ${words}`}
          press={(hold) => press('front', hold)}
        >
          {light}
        </PressButton>
      )}
      {keys && withKeys && press !== undefined && (
        <>
          <span className={styles.minus}>
            <PressButton shape="key" label={texts.device.minus(name)} press={(hold) => press('minus', hold)}>
              <Minus size={18} aria-hidden="true" />
            </PressButton>
          </span>
          <span>
            <PressButton shape="key" label={texts.device.plus(name)} press={(hold) => press('plus', hold)}>
              <Plus size={18} aria-hidden="true" />
            </PressButton>
          </span>
        </>
      )}
    </div>
  );
}

function Words({ device }: { device: Device }) {
  const condition = useTimed((now) => conditionWords(device, now));
  const [command] = device.commands;
  return (
    <div className={styles.words}>
      <p>
        {workWords(device)}
        {command !== undefined && originWords(command) !== '' && (
          <>
            {' · '}
            <Link href={originAddress(command)} className={styles.origin ?? ''}>
              {originWords(command)}
            </Link>
          </>
        )}
      </p>
      <p className={styles.condition}>{condition}</p>
    </div>
  );
}

/** Formats the remaining time and the number of waiting commands, as in `0:41 · +1`. */
export function briefProgress(device: Device, stationNow: number): string {
  const expiresAt = device.commands.find(({ state }) => state === 'shown')?.expires_at ?? null;
  const waiting = countWaiting(device);
  const left = expiresAt === null ? '' : formatTimeLeft(Date.parse(expiresAt) - stationNow);
  return [left, waiting === 0 ? '' : `+${waiting}`].filter((words) => words !== '').join(' · ');
}

function whatWords({ line1, line2, quantity }: CommandEntry): string {
  const lines = [line1, line2].filter((line) => line !== '').join(', ');
  const what = lines === '' ? texts.queue.noContent : lines;
  return quantity === null ? what : `${quantity} × ${what}`;
}

/** Describes the current command and its sender. */
function workWords(device: Device): string {
  const command = device.commands[0];
  if (command === undefined) return texts.queue.empty;
  return [
    whatWords(command),
    command.nonce === '' ? '' : texts.queue.nonce(command.nonce),
    command.sender === '' ? '' : texts.queue.from(command.sender),
  ]
    .filter((words) => words !== '')
    .join(' · ');
}

/** Describes the device's technical state: DeviceID, battery, radio signal and last report. */
function conditionWords(device: Device, stationNow: number): string {
  const { deviceid, locationoverride, voltage, battery, rssi, last_seen: lastSeen } = device;
  return [
    locationoverride === '' ? '' : deviceid,
    voltage === null ? '' : `${texts.panel.volts(voltage)}${battery === null ? '' : ` (${battery}\u00a0%)`}`,
    rssi === null ? '' : texts.panel.dbm(rssi),
    lastSeen === null ? texts.panel.neverHeard : heardWords(stationNow - Date.parse(lastSeen)),
  ]
    .filter((words) => words !== '')
    .join(' · ');
}

/** Returns the hint on a blank screen, or an empty text if the screen is not blank. */
function paperHint({ displayed }: Device): string {
  if (displayed === null) return texts.device.notHeard;
  const { lines, quantity, arrow, barcode, qrcode, icon } = displayed.screen;
  const isEmpty = quantity === null && arrow === null && [...lines, barcode, qrcode, icon].every((text) => text === '');
  return isEmpty ? texts.map.nothingShown : '';
}
