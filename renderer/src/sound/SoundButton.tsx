import { Volume2, VolumeOff } from 'lucide-react';
import { ToggleButton } from 'react-aria-components';
import { texts } from '../ui/texts.ts';
import { soundChoice } from './choice.ts';
import styles from './SoundButton.module.css';
import { useSoundStatus } from './windowSounds.ts';

/** Whether the sounds of devices are heard here: off, until somebody presses it. Nothing where this browser plays none. */
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
        // The press that a browser waits for is meant so, and does not switch off what was not heard yet.
        soundChoice.set({ on: on || status === 'waits' });
      }}
    >
      <Icon size={18} aria-hidden="true" />
      {status === 'waits' && <span className={styles.words}>{texts.sound.click}</span>}
    </ToggleButton>
  );
}
