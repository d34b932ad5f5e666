import icons120 from './icons/icons120.json' with { type: 'json' };
import icons44 from './icons/icons44.json' with { type: 'json' };
import icons62 from './icons/icons62.json' with { type: 'json' };
import icons96 from './icons/icons96.json' with { type: 'json' };
import { addIconSheets } from './iconSheets.ts';

/** Registers the icons in all sizes. */
addIconSheets({ 120: icons120, 96: icons96, 62: icons62, 44: icons44 });
