import { Play, Square, Volume2, VolumeOff } from 'lucide-react';
import { useId } from 'react';
import { ToggleButton } from 'react-aria-components';
import { Button } from '../kit/button/Button.tsx';
import { SwitchField } from '../kit/field/fields.tsx';
import parts from '../kit/parts.module.css';
import * as texts from '../words/texts.ts';
import { soundChoice, useSoundSetting } from './choice.ts';
import { useSoundPreview } from './playSound.ts';
import styles from './SoundControls.module.css';
import { useSoundStatus } from './windowSounds.ts';

const TRIED = 'Ta-Da';

/** Settings for device sounds, which apply immediately and only to this browser. */
export function SoundSettings() {
  const status = useSoundStatus();
  const { on, volume } = useSoundSetting();
  const preview = useSoundPreview();
  const id = useId();
  if (status === 'missing') return <p>{texts.sound.missing}</p>;
  return (
    <div className={parts.stack2}>
      <SwitchField
        label={texts.sound.label}
        help={texts.sound.help}
        value={on}
        onChange={(next) => soundChoice.set({ on: next })}
      />
      <p className={parts.quiet} role="status">
        {status === 'waits' ? texts.sound.blocked : ''}
      </p>
      <div className={`${parts.middle3} ${styles.volume}`}>
        <label htmlFor={id}>{texts.sound.volume}</label>
        <input
          id={id}
          type="range"
          min={5}
          max={100}
          step={5}
          value={volume}
          onChange={({ target }) => soundChoice.set({ volume: Number(target.value) })}
        />
        <Button onPress={() => (preview.isPlaying ? preview.stop() : preview.play(TRIED))}>
          {preview.isPlaying ? <Square size={16} aria-hidden="true" /> : <Play size={16} aria-hidden="true" />}
          {preview.isPlaying ? texts.sound.stop : texts.sound.try}
        </Button>
      </div>
    </div>
  );
}

/**
 * A button that switches device sounds on or off in this browser. Sounds are off by default. Renders nothing if the
 * browser cannot play sounds.
 */
export function SoundButton() {
  const status = useSoundStatus();
  if (status === 'missing') return null;
  const Icon = status === 'on' ? Volume2 : VolumeOff;
  return (
    <ToggleButton
      className={styles.button ?? ''}
      aria-label={status === 'waits' ? texts.sound.clickLabel : texts.sound.label}
      isSelected={status !== 'off'}
      onChange={(on) => {
        // While the browser waits for a click, this press unlocks the sounds instead of switching them off.
        soundChoice.set({ on: on || status === 'waits' });
      }}
    >
      <Icon size={18} aria-hidden="true" />
      {status === 'waits' && <span className={styles.words}>{texts.sound.click}</span>}
    </ToggleButton>
  );
}
