import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { MIN_PASSWORD_CHARACTERS } from '#shared/lib/access/passwordRule.ts';
import { Button } from '../../kit/button/Button.tsx';
import { LineField } from '../../kit/field/fields.tsx';
import type { FieldMessages } from '../../kit/field/fieldProblems.ts';
import parts from '../../kit/parts.module.css';
import * as texts from '../../words/texts.ts';

const words = texts.users.person;

type Props = {
  value: string;
  onChange(value: string): void;
  /** Called with a generated password, which the admin has to pass on. */
  onMade(value: string): void;
  autoFocus?: boolean;
};

/** A field for another person's password, which is typed or generated. A generated password is visible. */
export function NewPasswordField({ value, onChange, onMade, autoFocus = false }: Props) {
  const [visible, setVisible] = useState(false);

  function make(kind: PasswordKind): void {
    const made = makePassword(kind, (bytes) => crypto.getRandomValues(bytes));
    onChange(made);
    onMade(made);
    setVisible(true);
  }

  return (
    <div className={parts.stack2}>
      <LineField
        name="password"
        label={words.password}
        help={texts.password.rule(MIN_PASSWORD_CHARACTERS)}
        type={visible ? 'text' : 'password'}
        autoComplete="new-password"
        autoFocus={autoFocus}
        value={value}
        onChange={onChange}
      >
        <Button
          icon={visible ? EyeOff : Eye}
          look="icon"
          aria-label={visible ? texts.password.hide : texts.password.show}
          onPress={() => setVisible(!visible)}
        />
      </LineField>
      <div className={parts.rowMiddle} role="group" aria-label={words.generate}>
        <span className={parts.quiet}>{words.generate}:</span>
        {PASSWORD_KINDS.map((kind) => (
          <Button words={words[kind]} key={kind} onPress={() => make(kind)} />
        ))}
      </div>
    </div>
  );
}

/** Returns the error that the station would report for this password, if any. */
export function passwordProblem(password: string): FieldMessages {
  const missing = MIN_PASSWORD_CHARACTERS - password.length;
  return missing > 0 ? { password: words.tooShort(missing) } : {};
}

/**
 * Words for passwords: short, easy to say, to type on any keyboard and to tell apart. There are 256 of them, so each
 * random byte selects one.
 */
export const PASSWORD_WORDS = `
acorn alarm album amber anchor angle ankle apple apron arrow artist autumn
badge bagel baker balcony bamboo banjo barrel basket beach beard berry bishop
bottle branch brass bread brick bridge broom bucket butter button cabin cactus
camel candle canoe canvas carpet carrot castle celery chapel cheese cherry chimney
circus clock clover cobra coffee comet copper coral corner cotton couch cradle
crayon cricket crown crystal cup curtain daisy desert diary dinner donkey dragon
drum eagle earth echo elbow elder engine evening fabric falcon farmer feather
fern fiddle finger flame flute forest fountain fox frog funnel galaxy garden
garlic ghost ginger giraffe glacier glove goat grape grass guitar hammer harbor
harvest hazel helmet heron hill honey hotel hunter igloo insect island ivory
jacket jelly jewel jigsaw jungle kettle kidney kitchen kite knee ladder lagoon
lantern laptop lemon letter lily linen lion lizard lobster locket lotus lumber
magnet mango maple marble market meadow melon mirror mitten monkey moon mosaic
mountain mouse muffin museum mustard napkin nectar needle nickel north nutmeg oasis
ocean olive onion opera orange orchard otter oven oyster paddle palace panda
paper parrot pasta peach peanut pebble pelican pencil pepper piano pigeon pillow
pilot pine pirate planet plum pocket poem pond pony potato prairie puddle
pumpkin puzzle quartz quilt rabbit raccoon radish rain raven ribbon river robin
rocket rose saddle sailor salmon sandal scarf school shadow shell silver singer
spider spoon spring squirrel stone summer sunset swan table teapot temple thunder
tiger timber toast tomato tulip tunnel turkey turtle umbrella valley velvet violin
volcano walnut walrus zebra`
  .trim()
  .split(/\s+/);

const PASSWORD_KINDS = ['words', 'random'] as const;
type PasswordKind = (typeof PASSWORD_KINDS)[number];

/** Characters for passwords, without l, 1, o and 0, which are easily confused. */
const SIGNS = 'abcdefghijkmnpqrstuvwxyz23456789';
const WORDS = 5;
const RANDOM_SIGNS = 16;

/**
 * Fills the array with secure random bytes, as `crypto.getRandomValues` does, which is also available over plain HTTP.
 */
type RandomBytes = (bytes: Uint8Array<ArrayBuffer>) => unknown;

/**
 * Generates a password of five easy words or of sixteen characters. Words have only 40 bits, but the station allows
 * only ten attempts per minute; characters have 80 bits.
 */
export function makePassword(kind: PasswordKind, random: RandomBytes): string {
  const bytes = new Uint8Array(kind === 'words' ? WORDS : RANDOM_SIGNS);
  random(bytes);
  if (kind === 'words') return Array.from(bytes, (byte) => PASSWORD_WORDS[byte]).join('-');
  return Array.from(bytes, (byte) => SIGNS[byte % SIGNS.length]).join('');
}
