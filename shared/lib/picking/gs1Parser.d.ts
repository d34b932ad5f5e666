/** The package has no types. These cover the parts that we use. */
declare module 'gs1-barcode-parser-mod' {
  type Element = {
    ai: string;
    dataTitle: string;
    /** A date as a Date at local midnight (`isoDate` contains it without a time zone), or a measure as a number. */
    data: string | number | Date;
    unit: string;
    isoDate: string;
  };
  /** Throws a string if the text is not a GS1 element string. */
  export function parseBarcode(text: string): { parsedCodeItems: Element[] };
}
