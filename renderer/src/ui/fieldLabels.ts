import { LINE_FIELDS, STATIC_FIELDS } from '#shared/lib/deviceFields.ts';
import { texts } from './texts.ts';

const LABELS = new Map<string, string>([
  ...LINE_FIELDS.map((field, at): [string, string] => [field, texts.form.line(at + 1)]),
  ...STATIC_FIELDS.map((field): [string, string] => [field, texts.statics.lines[field]]),
  ['qrcode', texts.form.qrcode],
  ['locationoverride', texts.deviceSettings.label],
]);
const QUOTED = /("[^"]*")/;

/** A sentence of the station, with its fields called what they are called here; what it quotes stands as it is. */
export function inLabels(sentence: string): string {
  const parts = sentence.split(QUOTED);
  return parts.map((part, at) => (at % 2 === 1 ? part : part.replaceAll(/\w+/g, labelOf))).join('');
}

function labelOf(word: string): string {
  return LABELS.get(word) ?? word;
}
