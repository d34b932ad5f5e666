/** Returns the serial number of the turbo for a WLED controller with this MAC. */
export function wledSerialNumber(mac: string): string {
  return `WLED-${mac.toUpperCase()}`;
}

/** Returns the DeviceID of a place: the last six digits of the MAC, and the number of the place. See the contract, section 17. */
export function wledDeviceId(mac: string, number: number): string {
  return `${mac.slice(-6).toUpperCase()}:${String(number).padStart(6, '0')}`;
}
