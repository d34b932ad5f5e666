/** Splits a text that names several articles, in lines or separated by `;` or a comma and a blank. A comma alone can be part of a number. */
export function articleParts(text: string): string[] {
  return text
    .split(/[;\r\n]|,\s/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
