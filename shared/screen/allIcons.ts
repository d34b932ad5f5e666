import { icons120 } from './icons/icons120.ts';
import { icons44 } from './icons/icons44.ts';
import { icons62 } from './icons/icons62.ts';
import { icons96 } from './icons/icons96.ts';
import { addIconSheets } from './iconSheets.ts';

/** The signs in every size. */
addIconSheets({ 120: icons120, 96: icons96, 62: icons62, 44: icons44 });
