declare module 'spdx-expression-parse' {
  /** Throws where the text is no SPDX expression. */
  export default function parse(text: string): unknown;
}
