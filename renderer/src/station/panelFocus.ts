/**
 * The device whose panel takes the focus when it opens. This is needed if the device was chosen in a list that then
 * disappears. The focus is lost in that case, just as when a page opens by its address, so the panel cannot tell the
 * two cases apart.
 */
let wanted: string | undefined;

/** Makes the panel of this device take the focus when it opens. */
export function wantPanelFocus(deviceid: string): void {
  wanted = deviceid;
}

/** Returns whether the panel of this device takes the focus, and resets the request. */
export function takePanelFocus(deviceid: string): boolean {
  const isWanted = wanted === deviceid;
  wanted = undefined;
  return isWanted;
}
