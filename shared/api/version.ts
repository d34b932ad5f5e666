/** The version of the station and of the page that it serves; package.json says the same. */
export const VERSION = '0.1.0';
