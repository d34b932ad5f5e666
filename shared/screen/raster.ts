import './allSheets.ts';
import './allIcons.ts';

/** The functions of drawing.ts, with all glyphs loaded. */
export { bitmapToRgba, drawScreen, rasterize, type Bitmap } from './drawing.ts';
