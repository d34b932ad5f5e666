/**
 * The device whose panel takes the focus when it opens. Needed if the device was chosen in a list that then
 * disappears: the focus is lost, just as when a page opens by its address, so the panel cannot decide by the focus.
 */
let wanted: string | undefined;

/** Makes the panel of this device take the focus when it opens. */
export function wantPanelFocus(deviceid: string): void {
  wanted = deviceid;
}

/** Whether the panel of this device takes the focus. Resets the request. */
export function takePanelFocus(deviceid: string): boolean {
  const isWanted = wanted === deviceid;
  wanted = undefined;
  return isWanted;
}
