import { X509Certificate } from 'node:crypto';
import type { Session, WebContents } from 'electron';

/** Copying needs a click of the person's and gives the page nothing to read. */
const ALLOWED_PERMISSIONS: ReadonlySet<string> = new Set(['clipboard-sanitized-write']);

/** Where nobody listens. */
const NOWHERE = 'socks5://127.0.0.1:1';

function isAt(url: string, origin: string): boolean {
  return URL.canParse(url) && new URL(url).origin === origin;
}

function hostAndPort(origin: string): string {
  const { protocol, hostname, port } = new URL(origin);
  const usual = protocol === 'https:' ? '443' : '80';
  return `${hostname}:${port === '' ? usual : port}`;
}

/** A page of the window stays at the station's origin, opens nothing and embeds nothing. */
export function guardContents(contents: WebContents, origin: string): void {
  const stay = (event: { url: string; preventDefault(): void }): void => {
    // What a page has made itself, a blob, is of its origin and yet no page of the station.
    if (event.url.startsWith('blob:') || !isAt(event.url, origin)) event.preventDefault();
  };
  contents.on('will-navigate', stay);
  contents.on('will-frame-navigate', stay);
  contents.on('will-redirect', stay);
  // Nobody is asked before an empty page.
  contents.on('did-navigate', (_event, url) => {
    if (url.startsWith('about:')) contents.loadURL(origin).catch(() => undefined);
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
}

/** What Chromium answers to its own question whether a certificate is good, by number. */
const TRUSTED = 0;
const FAILED = -2;

/** The window trusts the station's own certificate, whoever signed it, and no other, whoever did. */
export function trustStation(session: Session, fingerprint: () => string | undefined): void {
  session.setCertificateVerifyProc(({ certificate }, answer) => {
    const ours = fingerprint();
    answer(ours !== undefined && new X509Certificate(certificate.data).fingerprint256 === ours ? TRUSTED : FAILED);
  });
}

/** The page may do nothing but talk to its station: no permissions, no devices, no other hosts, no foreign downloads. */
export async function guardSession(session: Session, origin: string): Promise<void> {
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
  // Calls between browsers are no requests, and no policy of a page forbids them: all that does not go to the station
  // goes nowhere.
  await session.setProxy({
    mode: 'fixed_servers',
    proxyRules: NOWHERE,
    proxyBypassRules: `<-loopback>;${hostAndPort(origin)}`,
  });
}
