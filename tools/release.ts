import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { type Release, signRelease } from '../electron/server/update/signedRelease.ts';

/**
 * Combines the update lists that electron-builder has written for each processor, and signs them for the feed: docs/releasing.md.
 * `PICKSTATION_RELEASE_KEY` is the path of the private key.
 *
 * node tools/release.ts FEED PACKAGES...
 */

const LIST = /^latest.*\.yml$/;

const [feed, ...folders] = process.argv.slice(2);
const keyFile = process.env['PICKSTATION_RELEASE_KEY'];
if (feed === undefined || folders.length === 0 || keyFile === undefined)
  throw new Error('Usage: PICKSTATION_RELEASE_KEY=FILE node tools/release.ts FEED PACKAGES...');
const key = readFileSync(keyFile, 'utf8');
const lists = folders.flatMap((folder) => readdirSync(folder).filter((name) => LIST.test(name)));
if (lists.length === 0) throw new Error('There is no latest*.yml: were the packages built with -c.publish.url?');
mkdirSync(feed, { recursive: true });
for (const name of new Set(lists)) {
  const parts = folders
    .map((folder) => join(folder, name))
    .filter((file) => existsSync(file))
    .map((file) => parse(readFileSync(file, 'utf8')) as Release);
  const [first] = parts;
  if (first === undefined) continue;
  if (parts.some(({ version }) => version !== first.version)) throw new Error(`${name} is of several versions`);
  const list = name.replace('.yml', '');
  const signed_at = new Date().toISOString();
  const release = { ...first, list, signed_at, files: parts.flatMap(({ files }) => files) };
  writeFileSync(join(feed, `${list}.json`), signRelease(release, key));
  console.log(`${list}.json: version ${release.version}, ${release.files.map(({ url }) => url).join(', ')}`);
}
