import type { BOARD_PROFILES } from '#shared/api/board.ts';

type BoardProfile = (typeof BOARD_PROFILES)[number];
type UsbId = { vendorId: string; productId: string };

/** USB devices that are boards with MicroPython, and what they may be. Others can be written too, by their port. */
const BOARDS: readonly (UsbId & { profiles: readonly BoardProfile[]; isUart?: true })[] = [
  { vendorId: '2e8a', productId: '0005', profiles: ['badger2040w', 'badger2040', 'generic'] },
  { vendorId: '303a', productId: '4001', profiles: ['esp32s3', 'generic'] },
  { vendorId: '303a', productId: '1001', profiles: ['esp32s3', 'generic'] },
  // A CH340, which other devices have too.
  { vendorId: '1a86', productId: '7523', profiles: ['esp32s3', 'generic'], isUart: true },
];

/** Of a port whose other end can take any speed, and of a board behind a UART, where MicroPython has this one. */
const USUAL_BAUD = 921_600;
export const UART_BAUD = 115_200;

const find = ({ vendorId, productId }: UsbId) =>
  BOARDS.find((board) => board.vendorId === vendorId && board.productId === productId);

export const isBoardPort = (port: UsbId): boolean => find(port) !== undefined;

/** What the board on this port may be, the likeliest first. */
export const profilesFor = (port: UsbId): BoardProfile[] => [...(find(port)?.profiles ?? ['generic'])];

/** The speed of a port for which nobody has chosen one; `port` undefined: it is not plugged in. */
export const usualBaud = (port: UsbId | undefined): number =>
  port !== undefined && find(port)?.isUart === true ? UART_BAUD : USUAL_BAUD;

/** A board that calls itself `board-` and the DeviceID of its only device. */
export const boardOf = (serialNumber: string): { serialNumber: string; deviceId: string } => ({
  serialNumber,
  deviceId: serialNumber.replace(/^board-/, ''),
});
