/* Only the parts of the two encoders that compute modules, without their drawing and other barcodes. Neither package has types for them. */

declare module 'jsbarcode/bin/barcodes/CODE128/CODE128B.js' {
  type Encoder = new (
    text: string,
    options: Record<string, never>,
  ) => {
    /** `data` consists of 1 (bar) and 0 (space), from the start character to the stop character. */
    encode(): { data: string };
  };
  // Node returns a CommonJS module as an object with the class as `default`; bundlers may return the class itself.
  const encoder: Encoder | { default: Encoder };
  export default encoder;
}

declare module 'qrcode/lib/core/qrcode.js' {
  export { create } from 'qrcode';
}
