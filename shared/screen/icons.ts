/** An icon with its two names. */
export type Icon = {
  /** The character after `hazard` in the API. Case-sensitive. */
  char: string;
  /** The readable name in kebab case, which is also the name of its drawing `tools/signs/svg/<name>.svg`. */
  name: string;
};

/** Characters and names of all icons. An array of pairs, because an object would sort the digits first. */
const TABLE = [
  ['a', 'not-drinking-water'],
  ['b', 'out-of-bounds'],
  ['c', 'do-not-douse-fire'],
  ['d', 'no-smoking'],
  ['e', 'do-not-light-a-match'],
  ['f', 'no-drinks'],
  ['g', 'no-food'],
  ['h', 'moving-parts'],
  ['i', 'do-not-use-elevator'],
  ['j', 'safety-harness'],
  ['k', 'lift-correctly'],
  ['l', 'eye-protection'],
  ['m', 'safety-boots'],
  ['n', 'safety-gloves'],
  ['o', 'helmet'],
  ['p', 'ear-muffs'],
  ['q', 'respirator'],
  ['r', 'safety-suit'],
  ['s', 'safety-harness-anchored'],
  ['t', 'safety-signal'],
  ['u', 'switch-off'],
  ['v', 'occupational-health'],
  ['w', 'wash-hands'],
  ['x', 'face-shield'],
  ['y', 'mask'],
  ['z', 'welding-mask'],
  ['A', 'acid'],
  ['B', 'forklift'],
  ['C', 'laser'],
  ['D', 'crane-lifting'],
  ['E', 'radiation'],
  ['F', 'hot-work'],
  ['G', 'explosive'],
  ['H', 'flammable'],
  ['I', 'toxic'],
  ['J', 'slippery-road'],
  ['K', 'danger-of-death-exposed-flames'],
  ['L', 'fire-warning'],
  ['M', 'general-hazard'],
  ['N', 'beware-of-dog'],
  ['O', 'compressed-gas'],
  ['P', 'keep-away-from-food'],
  ['Q', 'red-cross'],
  ['R', 'left-arrow'],
  ['S', 'right-arrow'],
  ['T', 'up-arrow'],
  ['U', 'down-arrow'],
  ['V', 'press-button'],
  ['X', 'fire-extinguisher'],
  ['Y', 'phone'],
  ['Z', 'bridge-rising'],
  ['0', 'empty-diamond'],
  ['1', 'no-symbol'],
  ['2', 'caution-stairs'],
  ['3', 'headphones'],
  ['4', 'empty-triangle'],
  ['5', 'smell'],
  ['6', 'crane-beam'],
  ['7', 'crane-beam-hook'],
  ['8', 'radiation-triangle'],
  ['9', 'radiation-diamond'],
  ['!', 'caution'],
  ['@', 'falling-rocks'],
  ['#', 'infection'],
  ['%', 'hazardous-material'],
  ['^', 'exit'],
  ['&', 'dangerous'],
  ['*', 'keep-clear'],
  ['(', 'flammable-gas'],
  [')', 'gas-fire'],
  ['_', 'nuclear'],
  ['+', 'oil-spill'],
  ['{', 'hand-injury'],
  ['}', 'slip-hazard'],
  ['|', 'slip-hazard-wet-floor'],
  [';', 'not'],
  [':', 'sharp'],
  [',', 'electricity'],
  ['.', 'hot-surface'],
] as const;

/** All icons in the order of the specification's addition: lowercase letters, capitals, digits, other characters. */
export const ICONS: readonly Icon[] = TABLE.map(([char, name]) => ({ char, name }));

const BY_NAME = new Map(ICONS.map((icon) => [icon.name, icon]));
const BY_CHAR = new Map(ICONS.map((icon) => [icon.char, icon]));

/**
 * Finds an icon by `hazard` and its character (case-sensitive), or by its readable name. Returns undefined if there is none. The eight
 * arrows are not icons; see `ARROWS`.
 */
export function findIcon(text: string): Icon | undefined {
  const char = /^hazard(.)$/iu.exec(text)?.[1];
  return char === undefined ? BY_NAME.get(text.toLowerCase()) : BY_CHAR.get(char);
}

const PLAIN_TRIANGLE = BY_NAME.get('empty-triangle');

/** Returns the icon for `hazard` without a character, or with a character that has no icon. Returns undefined for other text. */
export function findPlainHazard(text: string): Icon | undefined {
  return /^hazard.?$/iu.test(text) && findIcon(text) === undefined ? PLAIN_TRIANGLE : undefined;
}

/** Returns the name of an icon for devices and answers, which old clients know too. */
export function iconWireName(icon: Icon): string {
  return `hazard${icon.char}`;
}
