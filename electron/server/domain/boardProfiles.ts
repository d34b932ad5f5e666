import type { BOARD_PROFILES } from '#shared/api/board.ts';

type BoardProfile = (typeof BOARD_PROFILES)[number];
type UsbId = { vendorId: string; productId: string };

/** USB devices that are boards with MicroPython, and what they may be. Others can be written too, by their port. */
const BOARDS: readonly (UsbId & { profiles: readonly BoardProfile[] })[] = [
  { vendorId: '2e8a', productId: '0005', profiles: ['badger2040w', 'badger2040', 'generic'] },
  { vendorId: '303a', productId: '4001', profiles: ['esp32s3', 'generic'] },
  { vendorId: '303a', productId: '1001', profiles: ['esp32s3', 'generic'] },
];

const find = ({ vendorId, productId }: UsbId) =>
  BOARDS.find((board) => board.vendorId === vendorId && board.productId === productId);

export const isBoardPort = (port: UsbId): boolean => find(port) !== undefined;

/** What the board on this port may be, the likeliest first. */
export const profilesFor = (port: UsbId): BoardProfile[] => [...(find(port)?.profiles ?? ['generic'])];

/** A board that calls itself `board-` and the DeviceID of its only device. */
export const boardOf = (serialNumber: string): { serialNumber: string; deviceId: string } => ({
  serialNumber,
  deviceId: serialNumber.replace(/^board-/, ''),
});
