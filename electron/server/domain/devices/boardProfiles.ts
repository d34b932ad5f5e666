import type { BOARD_PROFILES } from '#shared/api/board.ts';

type BoardProfile = (typeof BOARD_PROFILES)[number];
type UsbId = { vendorId: string; productId: string };

/** USB ids of boards with MicroPython, and their possible profiles. Other boards can be flashed by port. */
const BOARDS: readonly (UsbId & { profiles: readonly BoardProfile[]; isUart?: true })[] = [
  { vendorId: '2e8a', productId: '0005', profiles: ['badger2040w', 'badger2040', 'generic'] },
  { vendorId: '303a', productId: '4001', profiles: ['esp32s3', 'generic'] },
  { vendorId: '303a', productId: '1001', profiles: ['esp32s3', 'generic'] },
  // CH340, which other devices use too.
  { vendorId: '1a86', productId: '7523', profiles: ['esp32s3', 'generic'], isUart: true },
];

/** USUAL_BAUD: for ports that accept any speed. UART_BAUD: the speed of MicroPython on boards behind a UART. */
const USUAL_BAUD = 921_600;
export const UART_BAUD = 115_200;

const find = ({ vendorId, productId }: UsbId) =>
  BOARDS.find((board) => board.vendorId === vendorId && board.productId === productId);

export const isBoardPort = (port: UsbId): boolean => find(port) !== undefined;

/** Possible profiles of the board on this port, likeliest first. */
export const profilesFor = (port: UsbId): BoardProfile[] => [...(find(port)?.profiles ?? ['generic'])];

/** The default speed of a port; `port` undefined: not plugged in. */
export const usualBaud = (port: UsbId | undefined): number =>
  port !== undefined && find(port)?.isUart === true ? UART_BAUD : USUAL_BAUD;

/** Identifies a board by its serial number, which is `board-` and the DeviceID of its only device. */
export const boardOf = (serialNumber: string): { serialNumber: string; deviceId: string } => ({
  serialNumber,
  deviceId: serialNumber.replace(/^board-/, ''),
});
