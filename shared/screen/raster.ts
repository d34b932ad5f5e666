import './allSheets.ts';
import './allIcons.ts';

/** Drawing with all glyphs loaded. */
export { bitmapToRgba, drawScreen, rasterise, type Bitmap } from './drawing.ts';
