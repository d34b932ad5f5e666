import { Minus, Plus } from 'lucide-react';
import type { CSSProperties } from 'react';
import { Link } from 'wouter';
import type { Device } from '#shared/api/device.ts';
import { ledWords } from '../../../device/deviceWords.ts';
import { Led } from '../../../device/Led.tsx';
import { PressButton } from '../../../device/PressButton.tsx';
import { ScreenCanvas } from '../../../screen/ScreenCanvas.tsx';
import { originAddress, originWords } from '../../../station/addresses.ts';
import type { Button, Hold } from '../../../station/api.ts';
import { nameOf } from '../../../station/places.ts';
import { seenLight } from '../../../station/seenLight.ts';
import { useTimed } from '../../../station/time.ts';
import { texts } from '../../../ui/texts.ts';
import type { Metrics } from './metrics.ts';
import styles from './TileFace.module.css';
import { conditionWords, paperHint, workWords } from './tileWords.ts';

type Props = {
  device: Device;
  metrics: Metrics;
  /** Undefined: its buttons are not to be pressed now. */
  press: ((button: Button, hold: Hold) => void) | undefined;
};

/** A device as it looks on the shelf: its screen, and beside or below it the light that is its front button. */
export function TileFace({ device, metrics: { shape, screen }, press }: Props) {
  const { displayed, voltage } = device;
  const hint = paperHint(device);
  return (
    <div className={styles.face} data-shape={shape} style={{ '--screen': `${screen.width + 8}px` } as CSSProperties}>
      <div className={styles.paper}>
        <ScreenCanvas
          screen={displayed?.screen ?? null}
          firmware={device.firmware}
          batteryMv={voltage === null ? null : Math.round(voltage * 1_000)}
          scale={screen.scale}
          blankWords={texts.device.blank}
        />
        {hint !== '' && <p className={styles.hint}>{hint}</p>}
      </div>
      {/* Keys too small for a finger are no keys: they are on the closer level and in the panel. */}
      <Buttons device={device} withKeys={shape !== 'side'} press={device.can_press ? press : undefined} />
      {(shape === 'close' || shape === 'closeWide') && <Words device={device} />}
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
    <div className={styles.buttons} data-keys={(keys && withKeys) || undefined}>
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
          <span className={styles.plus}>
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
