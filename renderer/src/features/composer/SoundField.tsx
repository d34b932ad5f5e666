import { Play, Square } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from 'react-aria-components';
import { SOUND_NAMES } from '#shared/sound/sound.ts';
import { useSoundPreview } from '../../sound/playSound.ts';
import { SuggestionField, type Choice } from '../../ui/choiceFields.tsx';
import fields from '../../ui/fields.module.css';
import { texts } from '../../ui/texts.ts';

type Props = {
  value: string;
  onChange(sound: string): void;
  /** What the station makes of it; empty for silence and for what is no sound. */
  encoding: string;
  autoFocus?: boolean;
};

const CHOICES: readonly Choice[] = SOUND_NAMES.map((name) => ({ id: name, text: name }));

/** A tune by its name, or an encoding; it can be heard before it is sent. */
export function SoundField({ value, onChange, encoding, autoFocus = false }: Props) {
  const { isPlaying, play, stop } = useSoundPreview();
  const [played, setPlayed] = useState('');
  // What is heard is what stands in the field.
  useEffect(() => {
    if (isPlaying && played !== encoding) stop();
  });

  return (
    <SuggestionField
      name="sound"
      label={texts.form.sound}
      hint={texts.form.soundHint}
      choices={CHOICES}
      value={value}
      onChange={onChange}
      autoFocus={autoFocus}
      placeholder={SOUND_NAMES[0] ?? ''}
    >
      {/* Not the button of the list. */}
      <Button
        slot={null}
        className={fields.step ?? ''}
        aria-label={isPlaying ? texts.form.stop : texts.form.play}
        isDisabled={encoding === ''}
        onPress={() => {
          setPlayed(encoding);
          if (isPlaying) stop();
          else play(encoding);
        }}
      >
        {isPlaying ? <Square size={16} aria-hidden="true" /> : <Play size={16} aria-hidden="true" />}
      </Button>
    </SuggestionField>
  );
}
