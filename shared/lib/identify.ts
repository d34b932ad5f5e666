/** The second line of a device that flashes to be found. The first one is its name. */
export const IDENTIFY_LINE = 'Here I am';
