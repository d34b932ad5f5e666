/** The part of a code received so far. */
export type SerialText = {
  rest: string;
  /** Whether this scanner ends its codes with CR, LF, tab or ETX. If so, a pause does not end a code. */
  hasEnds: boolean;
};

export const NO_TEXT: SerialText = { rest: '', hasEnds: false };

/** Pause in milliseconds that ends a code if the scanner sends no terminator. */
export const SILENCE_MS = 150;
/** Maximum length of a text; longer texts are discarded. A QR code holds at most 7,089 characters. */
const LONGEST = 8_000;

// oxlint-disable-next-line no-control-regex -- the text is split at these characters
const ENDS = /[\r\n\t\x03]+/;

/** Handles received text. Returns the codes that are now complete. */
export function nextText(state: SerialText, text: string): { state: SerialText; codes: string[] } {
  const lines = (state.rest + text).split(ENDS);
  const rest = lines.pop() ?? '';
  const hasEnds = state.hasEnds || lines.length > 0;
  return { state: { rest: rest.length > LONGEST ? '' : rest, hasEnds }, codes: lines.flatMap(cleaned) };
}

/** Handles a pause of SILENCE_MS, and returns the code that the pause has completed, if any. */
export function nextPause(state: SerialText): { state: SerialText; codes: string[] } {
  if (state.hasEnds) return { state, codes: [] };
  return { state: { ...state, rest: '' }, codes: cleaned(state.rest) };
}

function cleaned(line: string): string[] {
  // oxlint-disable-next-line no-control-regex -- removes STX and the like around a code, but not a leading GS, which means GS1
  const code = line.replace(/^[\0-\x1c\x1e\x1f ]+/, '').replace(/[\0-\x20]+$/, '');
  return code === '' ? [] : [code];
}
