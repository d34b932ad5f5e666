/**
 * The device whose panel takes the focus when it opens. Needed if the device was chosen in a list that disappears, because the focus is
 * then lost, as it is when the page opens at an address. In other cases the panel can tell by where the focus is.
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
