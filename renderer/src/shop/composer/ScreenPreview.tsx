import { Music, TriangleAlert, XCircle } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Label, Radio, RadioGroup } from 'react-aria-components';
import type { Device, Displayed } from '#shared/api/device.ts';
import type { ScreenContent } from '#shared/screen/content.ts';
import { ledWords } from '../device/deviceWords.ts';
import { Led } from '../device/Led.tsx';
import { Paper } from '../screen/Paper.tsx';
import { inLabels } from '../../kit/field/fieldProblems.ts';
import parts from '../../kit/parts.module.css';
import * as texts from '../../words/texts.ts';
import styles from './ScreenPreview.module.css';

type Props = {
  caption: string;
  screen: ScreenContent;
  device: Pick<Device, 'firmware' | 'voltage'>;
  /** Light and sound below the screen. Null for statics, which never light. */
  light: LightWords | null;
  /** Sentences about what will differ from the typed text. */
  warnings: readonly string[];
  /** The reason why the screen cannot be shown. The preview then draws as much as possible. */
  refusal: string;
};

/** Light and sound of a command. `led` is undefined if the color is unknown. */
export type LightWords = { led: Displayed['led'] | undefined; time: string; sound: string };

/** Firmware version from which devices lay out elements differently. */
const NEW_FIRMWARE = 67;
const KINDS = ['old', 'new'] as const;
type Kind = (typeof KINDS)[number];

function firmwareOf(kind: Kind, own: number): number {
  if (kind === kindOf(own)) return own;
  return kind === 'new' ? NEW_FIRMWARE : NEW_FIRMWARE - 1;
}

function kindOf(firmware: number): Kind {
  return firmware >= NEW_FIRMWARE ? 'new' : 'old';
}

/**
 * Shows the exact pixels, LED and sound of a device. The screen is drawn by the same code that creates bitmaps for
 * this firmware.
 */
export function ScreenPreview({ caption, screen, device, light, warnings, refusal }: Props) {
  const own = kindOf(device.firmware);
  const [chosen, choose] = useState<Kind>();
  const kind = chosen ?? own;
  const other = kind === 'new' ? 'old' : 'new';
  const paper = (of: Kind) => (
    <div className={styles.paper}>
      <Paper screen={screen} device={{ ...device, firmware: firmwareOf(of, device.firmware) }} blankWords="" />
    </div>
  );
  return (
    <figure className={`${parts.column2} ${styles.preview}`}>
      <figcaption className={parts.strong}>{caption}</figcaption>
      <div className={styles.device} data-refused={refusal !== '' || undefined}>
        {paper(kind)}
        <div className={styles.foot}>
          {light === null ? <p className={styles.words}>{texts.form.idle}</p> : <LightRow {...light} />}
          <Firmware kind={kind} own={own} choose={choose} />
          <p className={styles.which}>{texts.form.onFirmware[kind]}</p>
        </div>
      </div>
      <div role="status" className={styles.said}>
        {refusal !== '' && <Said kind="refusal">{refusal}</Said>}
        {warnings.map((warning) => (
          <Said key={warning} kind="warning">
            {inLabels(warning)}
          </Said>
        ))}
      </div>
      {/* Shown next to the first one if there is room, so that nobody has to switch. */}
      <div className={styles.other} data-refused={refusal !== '' || undefined}>
        {paper(other)}
        <p className={styles.which}>{texts.form.onFirmware[other]}</p>
      </div>
    </figure>
  );
}

function LightRow({ led, time, sound }: LightWords) {
  return (
    <>
      <Led led={led} size="tile" />
      <p className={styles.words}>
        <span className={styles.led}>{led === undefined ? texts.form.unknownColor : ledWords(led)}</span>
        <span>{time}</span>
        {sound !== '' && (
          <span className={`${parts.clip} ${styles.sound}`}>
            <Music size={12} aria-hidden="true" />
            <span className="visuallyHidden">{texts.form.sound}: </span>
            {sound}
          </span>
        )}
      </p>
    </>
  );
}

function Firmware({ kind, own, choose }: { kind: Kind; own: Kind; choose(kind: Kind): void }) {
  return (
    <RadioGroup
      className={`${parts.middle2} ${styles.firmware}`}
      value={kind}
      onChange={(id) => choose(id === 'new' ? 'new' : 'old')}
      orientation="horizontal"
    >
      <Label className={parts.small ?? ''}>{texts.form.firmware}</Label>
      <div className={styles.kinds}>
        {KINDS.map((each) => (
          <Radio key={each} value={each} className={styles.kind ?? ''}>
            {texts.form.firmwares[each]}
            {each === own && <span className="visuallyHidden"> {texts.form.ownFirmware}</span>}
          </Radio>
        ))}
      </div>
    </RadioGroup>
  );
}

function Said({ kind, children }: { kind: 'warning' | 'refusal'; children: ReactNode }) {
  return (
    <p className={`${parts.stack2} ${styles.sentence}`} data-kind={kind}>
      {kind === 'refusal' ? <XCircle size={16} aria-hidden="true" /> : <TriangleAlert size={16} aria-hidden="true" />}
      <span>{children}</span>
    </p>
  );
}
