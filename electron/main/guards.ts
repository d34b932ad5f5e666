import { X509Certificate } from 'node:crypto';
import type { Session, WebContents } from 'electron';
import type { ScannerPermissions } from './scanners.ts';

/** Permissions that any page of the station gets. Copying needs a user's click, and neither permission lets the page read anything. */
const ALLOWED_PERMISSIONS: ReadonlySet<string> = new Set(['clipboard-sanitized-write', 'notifications']);

/** Address of a proxy that does not exist. */
const NOWHERE = 'socks5://127.0.0.1:1';

function isAt(url: string, origin: string): boolean {
  return URL.canParse(url) && new URL(url).origin === origin;
}

function hostAndPort(origin: string): string {
  const { protocol, hostname, port } = new URL(origin);
  const usual = protocol === 'https:' ? '443' : '80';
  return `${hostname}:${port === '' ? usual : port}`;
}

/**
 * Keeps a page at the station's origin, and prevents it from opening windows. Calls `asked` with the address of each window that the page
 * tries to open.
 */
export function guardContents(contents: WebContents, origin: string, asked: (url: string) => void): void {
  const stay = (event: { url: string; preventDefault(): void }): void => {
    // A blob has the page's origin, but is not a page of the station.
    if (event.url.startsWith('blob:') || !isAt(event.url, origin)) event.preventDefault();
  };
  contents.on('will-navigate', stay);
  contents.on('will-frame-navigate', stay);
  contents.on('will-redirect', stay);
  // A blank page cannot use the window's dialogs, so load the station's page again.
  contents.on('did-navigate', (_event, url) => {
    if (url.startsWith('about:')) contents.loadURL(origin).catch(() => undefined);
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    asked(url);
    return { action: 'deny' };
  });
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
}

/** Chromium's result code for a trusted certificate. */
const TRUSTED = 0;
const FAILED = -2;

/** Makes the window trust only the station's certificate, even if it is self-signed. */
export function trustStation(session: Session, fingerprint: () => string | undefined): void {
  session.setCertificateVerifyProc(({ certificate }, answer) => {
    const ours = fingerprint();
    answer(ours !== undefined && new X509Certificate(certificate.data).fingerprint256 === ours ? TRUSTED : FAILED);
  });
}

/** Restricts the page to its station. Allows copying, notifications and scanners, but no other permissions, devices, hosts or downloads. */
export async function guardSession(session: Session, origin: string, scanners: ScannerPermissions): Promise<void> {
  session.setPermissionRequestHandler((_contents, permission, answer, details) => {
    const isAllowed = ALLOWED_PERMISSIONS.has(permission) || scanners.mayRequest(permission, details);
    answer(isAllowed && isAt(details.requestingUrl, origin));
  });
  session.setPermissionCheckHandler((_contents, permission, requestingOrigin, details) => {
    const isAllowed = ALLOWED_PERMISSIONS.has(permission) || scanners.mayCheck(permission, details);
    return isAllowed && isAt(requestingOrigin, origin);
  });
  session.setDevicePermissionHandler(
    ({ deviceType, origin: from, device }) => isAt(from, origin) && scanners.mayUseDevice(deviceType, device),
  );
  session.webRequest.onBeforeRequest(
    { urls: ['http://*/*', 'https://*/*', 'ws://*/*', 'wss://*/*', 'ftp://*/*', 'file://*/*'] },
    ({ url }, answer) => answer({ cancel: !isAt(url.replace(/^ws/, 'http'), origin) }),
  );
  session.on('will-download', (event, item) => {
    if (!isAt(item.getURL(), origin)) event.preventDefault();
  });
  // WebRTC bypasses request filters, and no page policy prevents that. So send everything except requests to the station to a proxy that
  // does not exist.
  await session.setProxy({
    mode: 'fixed_servers',
    proxyRules: NOWHERE,
    proxyBypassRules: `<-loopback>;${hostAndPort(origin)}`,
  });
}
