/** Version of the station and its page. Same as in package.json. */
export const VERSION = '0.1.0';
