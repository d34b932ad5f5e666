import {
  ARROWS,
  countElements,
  EMPTY_SCREEN,
  MAX_ELEMENTS,
  type BoxedName,
  type ScreenContent,
} from '#shared/screen/content.ts';
import type { LayoutOptions } from '#shared/screen/layout.ts';

export type EveryScreen = { content: ScreenContent; options: LayoutOptions };

const BOXED_SETS: readonly (readonly BoxedName[])[] = [
  [],
  ['quantity'],
  ['qrcode'],
  ['arrow'],
  ['icon'],
  ['quantity', 'qrcode'],
  ['quantity', 'arrow'],
  ['quantity', 'icon'],
  ['qrcode', 'arrow'],
  ['qrcode', 'icon'],
  ['arrow', 'icon'],
];
const QUANTITIES = [4, 44, 120];
const QRCODE = 'https://example.com/p/4711';
const ICON = 'hazardd';
const BARCODES = ['', 'ABCDEFGHIJKLMNOPQRSTUVW'];
/** Texts for the lines: a short one, the widest one of maximum length, and one of maximum length with the tallest and deepest letters. */
const WORDS = ['M8', 'W'.repeat(26), 'Ågjp'.repeat(7).slice(0, 26)];
const HEADERS = [
  { label: '', batteryMv: null },
  { label: 'A-3-2', batteryMv: null },
  { label: 'Ågjp, Halle 3, Regal 12, Fach 4, ganz links unten', batteryMv: 2_980 },
];

/** Yields one screen of every kind within the limits: each set of elements, for both kinds of firmware, with short and long texts. */
export function* listEveryScreen(): Generator<EveryScreen> {
  for (const content of listContents()) {
    if (countElements(content) > MAX_ELEMENTS) continue;
    for (const { label, batteryMv } of HEADERS) {
      for (const firmware of [66, 67]) yield { content: { ...content, label }, options: { firmware, batteryMv } };
    }
  }
}

function* listContents(): Generator<ScreenContent> {
  for (const boxed of BOXED_SETS) {
    for (const graphics of listGraphics(boxed)) {
      for (const barcode of BARCODES) {
        for (const lines of listLines()) yield { ...graphics, barcode, lines };
      }
    }
  }
}

function* listGraphics(boxed: readonly BoxedName[]): Generator<ScreenContent> {
  for (const quantity of boxed.includes('quantity') ? QUANTITIES : [null]) {
    for (const arrow of boxed.includes('arrow') ? ARROWS : [null]) {
      const qrcode = boxed.includes('qrcode') ? QRCODE : '';
      const icon = boxed.includes('icon') ? ICON : '';
      yield { ...EMPTY_SCREEN, quantity, arrow, qrcode, icon };
    }
  }
}

function* listLines(): Generator<string[]> {
  yield [];
  for (let count = 1; count <= MAX_ELEMENTS; count++) {
    for (const word of WORDS) yield Array.from({ length: count }, () => word);
  }
  for (const word of WORDS) {
    yield ['', word, '', '', word];
    yield [word, word, '', word, word];
  }
}
