/** Second line on a device that flashes so that people can find it. The first line is the device's name. */
export const IDENTIFY_LINE = 'Here I am';
