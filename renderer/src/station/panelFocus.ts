/**
 * Where the focus goes in the panel that opens next. Who came by a link or a key is seen by where the focus is; who chose the
 * device in a list that is gone by then has it nowhere, as somebody who came by the address.
 */
let wanted: string | undefined;

/** The panel of this device takes the focus when it opens. */
export function wantPanelFocus(deviceid: string): void {
  wanted = deviceid;
}

/** Whether the panel of this device was to take it; asked once. */
export function takePanelFocus(deviceid: string): boolean {
  const isWanted = wanted === deviceid;
  wanted = undefined;
  return isWanted;
}
