import './allSheets.ts';
import './allIcons.ts';

/** Draws with all glyphs loaded. */
export { bitmapToRgba, drawScreen, rasterize, type Bitmap } from './drawing.ts';
