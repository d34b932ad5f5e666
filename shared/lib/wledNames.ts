/** The serial number of the turbo that a WLED controller with this MAC is. */
export function wledSerialNumber(mac: string): string {
  return `WLED-${mac.toUpperCase()}`;
}

/** The device of a place: the last six hexadecimal digits of the MAC, then the number of the place. Contract, section 17. */
export function wledDeviceId(mac: string, number: number): string {
  return `${mac.slice(-6).toUpperCase()}:${String(number).padStart(6, '0')}`;
}
