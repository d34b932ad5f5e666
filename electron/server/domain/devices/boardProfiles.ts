import type { BOARD_PROFILES } from '#shared/api/board.ts';

type BoardProfile = (typeof BOARD_PROFILES)[number];
type UsbId = { vendorId: string; productId: string };

/** USB ids of boards that may run MicroPython, with their possible profiles. Other boards can be flashed by choosing their port. */
const BOARDS: readonly (UsbId & { profiles: readonly BoardProfile[]; isUart?: true })[] = [
  { vendorId: '2e8a', productId: '0005', profiles: ['badger2040w', 'badger2040', 'generic'] },
  { vendorId: '303a', productId: '4001', profiles: ['esp32s3', 'generic'] },
  { vendorId: '303a', productId: '1001', profiles: ['esp32s3', 'generic'] },
  // CH340, which is used in other devices too.
  { vendorId: '1a86', productId: '7523', profiles: ['esp32s3', 'generic'], isUart: true },
];

/** USUAL_BAUD is for ports that accept any speed. UART_BAUD is the speed of MicroPython on boards with a UART bridge. */
const USUAL_BAUD = 921_600;
export const UART_BAUD = 115_200;

const find = ({ vendorId, productId }: UsbId) =>
  BOARDS.find((board) => board.vendorId === vendorId && board.productId === productId);

export const isBoardPort = (port: UsbId): boolean => find(port) !== undefined;

/** Returns the possible profiles for the board on this port, most likely first. */
export const profilesFor = (port: UsbId): BoardProfile[] => [...(find(port)?.profiles ?? ['generic'])];

/** Returns the default speed of a port. `port` is undefined if it is not plugged in. */
export const usualBaud = (port: UsbId | undefined): number =>
  port !== undefined && find(port)?.isUart === true ? UART_BAUD : USUAL_BAUD;

/** Derives a board's DeviceID from its serial number, which is `board-` followed by the DeviceID of its only device. */
export const boardOf = (serialNumber: string): { serialNumber: string; deviceId: string } => ({
  serialNumber,
  deviceId: serialNumber.replace(/^board-/, ''),
});
