/** Path of a Google sheet in the editor, or published as a web page. */
const GOOGLE = /^\/spreadsheets\/(?:u\/\d+\/)?d\/(?<id>[\w-]+)(?:\/(?:edit|view|htmlview|preview|copy)?)?$/;
const GOOGLE_PUBLISHED = /^\/spreadsheets\/(?:u\/\d+\/)?d\/e\/(?<id>[\w-]+)\/(?:pub|pubhtml)$/;
/** Path of a file that is shared by a link from Nextcloud or ownCloud. */
const SHARED = /^(?<path>(?:\/[^/]+)*\/s\/\w{10,40})\/?$/;

/** Converts the address of a sheet, as copied from a browser, to the address of the file. Returns other addresses unchanged. */
export function sheetFileUrl(address: string): string {
  const url = URL.parse(address);
  if (url === null) return address;
  const { pathname, origin, search, searchParams, hash, hostname } = url;
  if (hostname === 'docs.google.com') {
    const gid = searchParams.get('gid') ?? new URLSearchParams(hash.slice(1)).get('gid');
    const sheet = gid === null ? '' : `&gid=${encodeURIComponent(gid)}`;
    const published = GOOGLE_PUBLISHED.exec(pathname)?.groups?.['id'];
    if (published !== undefined) {
      const single = gid === null ? '' : `${sheet}&single=true`;
      return `${origin}/spreadsheets/d/e/${published}/pub?output=csv${single}`;
    }
    const id = GOOGLE.exec(pathname)?.groups?.['id'];
    return id === undefined ? address : `${origin}/spreadsheets/d/${id}/export?format=csv${sheet}`;
  }
  // Leave an address with a query unchanged: it belongs to a different program, or to a file inside a shared folder.
  const path = search === '' ? SHARED.exec(pathname)?.groups?.['path'] : undefined;
  return path === undefined ? address : `${origin}${path}/download`;
}
