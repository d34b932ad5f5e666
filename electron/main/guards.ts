import type { Session, WebContents } from 'electron';

/** Copying needs a click of the person's and gives the page nothing to read. */
const ALLOWED_PERMISSIONS: ReadonlySet<string> = new Set(['clipboard-sanitized-write']);

function isAt(url: string, origin: string): boolean {
  return URL.canParse(url) && new URL(url).origin === origin;
}

/** A page of the window stays at the station's origin, opens nothing and embeds nothing. */
export function guardContents(contents: WebContents, origin: string): void {
  const stay = (event: { url: string; preventDefault(): void }): void => {
    if (!isAt(event.url, origin)) event.preventDefault();
  };
  contents.on('will-navigate', stay);
  contents.on('will-frame-navigate', stay);
  contents.on('will-redirect', stay);
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
}

/** The page may do nothing but talk to its station: no permissions, no devices, no other hosts, no foreign downloads. */
export function guardSession(session: Session, origin: string): void {
  const mayUse = (permission: string, url: string): boolean => ALLOWED_PERMISSIONS.has(permission) && isAt(url, origin);
  session.setPermissionRequestHandler((_contents, permission, answer, { requestingUrl }) =>
    answer(mayUse(permission, requestingUrl)),
  );
  session.setPermissionCheckHandler((_contents, permission, requestingOrigin) => mayUse(permission, requestingOrigin));
  session.setDevicePermissionHandler(() => false);
  session.webRequest.onBeforeRequest(
    { urls: ['http://*/*', 'https://*/*', 'ws://*/*', 'wss://*/*', 'ftp://*/*', 'file://*/*'] },
    ({ url }, answer) => answer({ cancel: !isAt(url.replace(/^ws/, 'http'), origin) }),
  );
  session.on('will-download', (event, item) => {
    if (!isAt(item.getURL(), origin)) event.preventDefault();
  });
}
