/**
 * USB devices that may be turbos: USB-to-serial chips, and boards with native USB. Other devices can be connected too; they are only shown
 * without a name.
 */
export const USB_IDENTITIES = [
  { vendorId: '303a', productId: '1001', name: 'ESP32 with native USB' },
  { vendorId: '303a', productId: '4001', name: 'ESP32-S2 or S3' },
  { vendorId: '10c4', productId: 'ea60', name: 'Silicon Labs CP210x' },
  { vendorId: '10c4', productId: 'ea70', name: 'Silicon Labs CP2105' },
  { vendorId: '1a86', productId: '7523', name: 'WCH CH340' },
  { vendorId: '1a86', productId: '55d4', name: 'WCH CH9102' },
  { vendorId: '0403', productId: '6001', name: 'FTDI FT232' },
  { vendorId: '0403', productId: '6015', name: 'FTDI FT-X' },
  { vendorId: '067b', productId: '2303', name: 'Prolific PL2303' },
  { vendorId: '2e8a', productId: '000a', name: 'Raspberry Pi Pico' },
  { vendorId: '1915', productId: '520f', name: 'Nordic nRF52840' },
  { vendorId: '0483', productId: '5740', name: 'STM32 with native USB' },
] as const;

/** Returns the name of a USB device; undefined if it is not listed. Ids are four hexadecimal digits in lower case. */
export function usbName(vendorId: string, productId: string): string | undefined {
  return USB_IDENTITIES.find((known) => known.vendorId === vendorId && known.productId === productId)?.name;
}
