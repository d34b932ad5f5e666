/** Frame around a pictogram. `under` is drawn before the pictogram and `over` after it. `ink` is the color of the pictogram. */
type Frame = { ink: string; under: string; over: string };

const BLACK = '#000';
const WHITE = '#fff';
/** Path from the upper left of the ring to its lower right. It is longer than necessary, because the ring covers its ends. */
const SLASH = 'M19 19 77 77';

/** Frames with the shapes of ISO 7010 and GHS, on the 96 x 96 grid that all drawings use. */
export const FRAMES = {
  none: { ink: BLACK, under: '', over: '' },
  warning: {
    ink: BLACK,
    under: '',
    over: '<path d="M48 9.5 91.5 86H4.5z" fill="none" stroke="#000" stroke-width="7" stroke-linejoin="round"/>',
  },
  prohibition: {
    ink: BLACK,
    under: '',
    // White on both sides separates the slash from the pictogram.
    over: `<path d="${SLASH}" stroke="#fff" stroke-width="15"/><path d="${SLASH}" stroke="#000" stroke-width="7.5"/>
      <circle cx="48" cy="48" r="42.6" fill="none" stroke="#000" stroke-width="7.6"/>`,
  },
  mandatory: { ink: WHITE, under: '<circle cx="48" cy="48" r="46.4"/>', over: '' },
  diamond: {
    ink: BLACK,
    under: '',
    over: '<path d="M48 5 91 48 48 91 5 48z" fill="none" stroke="#000" stroke-width="6.5"/>',
  },
  square: { ink: WHITE, under: '<rect x="2" y="2" width="92" height="92" rx="9"/>', over: '' },
} as const satisfies Record<string, Frame>;

const ROOT = /^\s*(?:<!--[\s\S]*?-->\s*)*<svg\b([^>]*)>([\s\S]*)<\/svg>\s*$/u;

/** Returns a complete sign, in which the pictogram is inside the frame that `data-frame` of the root names. */
export function frameDrawing(svg: string): string {
  const [, attributes = '', pictogram] = ROOT.exec(svg) ?? [];
  if (pictogram === undefined) throw new Error('Not one svg element.');
  if (!attributes.includes('viewBox="0 0 96 96"')) throw new Error('The viewBox is not 0 0 96 96.');
  const name = /\bdata-frame="([^"]*)"/u.exec(attributes)?.[1] ?? 'none';
  if (!isFrame(name)) throw new Error(`No frame is called ${name}.`);
  const { ink, under, over } = FRAMES[name];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96">${under}
    <g fill="${ink}" stroke-linecap="round" stroke-linejoin="round">${pictogram.replaceAll('currentColor', ink)}</g>${over}</svg>`;
}

function isFrame(name: string): name is keyof typeof FRAMES {
  return Object.hasOwn(FRAMES, name);
}
