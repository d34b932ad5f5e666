/** The id of the link of a device's tile: where the focus returns to when its panel closes. */
export function tileLinkId(deviceid: string): string {
  return `device-${deviceid}`;
}
