/** The separator FNC1 as scanners send it, which ends an element of variable length in a GS1 code. */
export const GS = '\x1d';
