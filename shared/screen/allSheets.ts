import further15 from './glyphs/further15.json' with { type: 'json' };
import further16 from './glyphs/further16.json' with { type: 'json' };
import otherBold104 from './glyphs/otherBold104.json' with { type: 'json' };
import otherBold17 from './glyphs/otherBold17.json' with { type: 'json' };
import otherBold20 from './glyphs/otherBold20.json' with { type: 'json' };
import otherBold24 from './glyphs/otherBold24.json' with { type: 'json' };
import otherBold28 from './glyphs/otherBold28.json' with { type: 'json' };
import otherBold32 from './glyphs/otherBold32.json' with { type: 'json' };
import otherBold44 from './glyphs/otherBold44.json' with { type: 'json' };
import otherBold64 from './glyphs/otherBold64.json' with { type: 'json' };
import otherSmall15 from './glyphs/otherSmall15.json' with { type: 'json' };
import otherSmall16 from './glyphs/otherSmall16.json' with { type: 'json' };
import { addFurtherSheets } from './sheets.ts';

/** Registers the glyphs of Eastern European, Greek, Cyrillic, Vietnamese and rare characters, which are more than half of all glyphs. */
addFurtherSheets({
  104: [otherBold104],
  64: [otherBold64],
  44: [otherBold44],
  32: [otherBold32],
  28: [otherBold28],
  24: [otherBold24],
  20: [otherBold20],
  17: [otherBold17],
  16: [otherSmall16, further16],
  15: [otherSmall15, further15],
});
