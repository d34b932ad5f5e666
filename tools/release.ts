import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { signRelease, type Release } from '../electron/server/update/signRelease.ts';

/**
 * Combines the update lists that electron-builder has written for each processor, and signs them for the feed: docs/releasing.md.
 * `PICKSTATION_RELEASE_KEY` is the path of the private key. FEED has the packages, which must be those of the lists. Uses no packages of
 * npm, so that nobody else's program runs where the private key is.
 *
 * node tools/release.ts FEED LISTS...
 */

const LIST = /^latest.*\.yml$/;
/** A name in the feed, without folders. */
const FILE_NAME = /^[\w-][\w.+-]*$/;

const KNOWN = ['version', 'path', 'sha512', 'releaseDate', 'minimumSystemVersion'];
const KNOWN_OF_FILES = ['url', 'sha512', 'size', 'blockMapSize', 'isAdminRightsRequired'];

type List = Pick<Release, 'files' | 'minimumSystemVersion' | 'version'>;

const [feed, ...folders] = process.argv.slice(2);
const keyFile = process.env['PICKSTATION_RELEASE_KEY'];
if (feed === undefined || folders.length === 0 || keyFile === undefined)
  throw new Error('Usage: PICKSTATION_RELEASE_KEY=FILE node tools/release.ts FEED LISTS...');
const key = readFileSync(keyFile, 'utf8');
const lists = folders.flatMap((folder) => readdirSync(folder).filter((name) => LIST.test(name)));
if (lists.length === 0) throw new Error('There is no latest*.yml: were the packages built with -c.publish.url?');
for (const name of new Set(lists)) {
  const parts = folders
    .map((folder) => join(folder, name))
    .filter((file) => existsSync(file))
    .map(readList);
  const [first] = parts;
  if (first === undefined) continue;
  if (parts.some(({ version }) => version !== first.version)) throw new Error(`${name} is of several versions`);
  const list = name.replace('.yml', '');
  const files = parts.flatMap((part) => part.files);
  for (const file of files) checkFile(feed, file);
  writeFileSync(
    join(feed, `${list}.json`),
    signRelease({ ...first, list, signed_at: new Date().toISOString(), files }, key),
  );
  console.log(`${list}.json: version ${first.version}, ${files.map(({ url }) => url).join(', ')}`);
}

/** Throws unless the feed has this file. */
function checkFile(folder: string, { url, sha512, size }: Release['files'][number]): void {
  if (!FILE_NAME.test(url)) throw new Error(`${url} is not the name of a file`);
  if (!existsSync(join(folder, url))) throw new Error(`${url} is not in ${folder}`);
  const bytes = readFileSync(join(folder, url));
  if (bytes.length !== size || hash('sha512', bytes, 'base64') !== sha512)
    throw new Error(`${url} is not the file of the list`);
}

/** Reads a list as electron-builder writes it, which is a small part of YAML. Throws if there is anything else in it. */
function readList(path: string): List {
  const fields = new Map<string, string>();
  const files: Map<string, string>[] = [];
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    const [, start = '', name = '', quoted, plain = ''] =
      /^( {2}- | {4}|)(\w+):(?: '([^']*)'| ([^'"].*)|)$/.exec(line) ?? [];
    if (line === '' || line === 'files:') continue;
    const known = start === '' ? KNOWN : KNOWN_OF_FILES;
    if (!known.includes(name)) throw new Error(`${path} has a line that is not known: ${line}`);
    if (start === '  - ') files.push(new Map());
    (start === '' ? fields : files.at(-1))?.set(name, quoted ?? plain);
  }
  const version = fields.get('version');
  if (version === undefined || files.length === 0) throw new Error(`${path} names no version or no files`);
  return { version, files: files.map(fileOf), minimumSystemVersion: fields.get('minimumSystemVersion') };
}

function fileOf(fields: ReadonlyMap<string, string>): Release['files'][number] {
  return {
    url: fields.get('url') ?? '',
    sha512: fields.get('sha512') ?? '',
    size: Number(fields.get('size')),
    isAdminRightsRequired: fields.has('isAdminRightsRequired')
      ? fields.get('isAdminRightsRequired') === 'true'
      : undefined,
  };
}
