declare module 'spdx-expression-parse' {
  /** Throws if the text is not an SPDX expression. */
  export default function parse(text: string): unknown;
}
