import { GS } from '#shared/lib/picking/gs.ts';
import { BARCODE_QUIET_MODULES, encodeBarcode, encodeGs1Barcode } from '#shared/screen/barcode.ts';
import type * as texts from '../../words/texts.ts';

export type Sample = {
  name: keyof typeof texts.scanner.page.sampleNames;
  /** The text that a scanner sends for the barcode, without a symbology identifier. */
  sent: string;
  /** The text below the barcode. */
  shown: string;
  /** SVG path of the bars. One unit is a module, and all bars have the height 1. */
  path: string;
  modules: number;
};

/** Characters whose keys differ between keyboard layouts, in both cases, and a digit. */
const SIGNS = 'aZ-q/Wy_m+3';
const PLACE = 'A-3-2';
const GS1 = `010950110102091710AB1${GS}217`;

export const SAMPLES: readonly Sample[] = [
  sample('signs', SIGNS, SIGNS, encodeBarcode(SIGNS)),
  sample('place', PLACE, PLACE, encodeBarcode(PLACE)),
  sample('gs1', GS1, '(01) 09501101020917 (10) AB1 (21) 7', encodeGs1Barcode(GS1)),
];

function sample(name: Sample['name'], sent: string, shown: string, bars = ''): Sample {
  const path = [...bars.matchAll(/1+/g)]
    .map(({ index, 0: bar }) => `M${index + BARCODE_QUIET_MODULES} 0h${bar.length}v1h-${bar.length}z`)
    .join('');
  return { name, sent, shown, path, modules: bars.length + 2 * BARCODE_QUIET_MODULES };
}
