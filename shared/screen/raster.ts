import './allSheets.ts';
import './allIcons.ts';

/** Drawing with every glyph there is, from the first call on. */
export { bitmapToRgba, drawScreen, rasterise, type Bitmap } from './drawing.ts';
