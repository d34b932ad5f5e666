import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ThirdParty } from '#shared/lib/station/thirdParty.ts';
import { type PackageFile, productionFolders, readPackage } from './folders.ts';
import { ourText, textInFolder, textInSection } from './licenceTexts.ts';
import { listParts } from './parts.ts';

export type ThirdPartyText = ThirdParty & { text: string };

/** Bill of materials, in which some packages list what is compiled into them. */
type SbomFile = { components: SbomComponent[] };
type SbomComponent = {
  type: string;
  name: string;
  version?: string;
  purl?: string;
  licenses?: { expression?: string; license?: { id?: string; name?: string } }[];
};

/** Build tools, whose license files also list the packages that they bundle. Those packages do not get into our bundles. */
const BUILD_TOOLS = ['node_modules/vite', 'node_modules/rolldown'];

/**
 * Returns all third-party software in our packages, by name: packages in the bundles, production packages, Electron, and parts that are not
 * npm packages. License and text are '' if none was found.
 */
export function collectThirdParty(root: string, bundled: readonly string[]): ThirdPartyText[] {
  const folders = new Set([...bundled, ...productionFolders(root), 'node_modules/electron']);
  const all = [...folders].flatMap((folder) => [packageIn(root, folder), ...compiledIn(root, folder)]);
  const parts = listParts(root).map(({ text, copyright, ...part }) => ({
    version: '',
    inside: '',
    purl: '',
    ...part,
    text: text === undefined ? ourText(root, part, copyright ?? '') : textInSection(join(root, text[0]), text[1]),
  }));
  const byKey = new Map([...all, ...parts].map((one) => [`${one.inside} ${one.name} ${one.version}`, one]));
  return [...byKey.values()].toSorted((one, other) => keyOf(one).localeCompare(keyOf(other), 'en'));
}

const keyOf = ({ name, version, inside }: ThirdParty) => `${name.toLowerCase()} ${version} ${inside}`;

function packageIn(root: string, folder: string): ThirdPartyText {
  const file = readPackage(join(root, folder));
  const { name = '', version = '' } = file;
  const found = { name, version, licence: licenceOf(file), url: urlOf(file) };
  const text = textInFolder(join(root, folder)) || textOfWhole(root, folder, file);
  const own = BUILD_TOOLS.includes(folder) ? text.replace(/^# Licenses of bundled[^]*/m, '').trimEnd() : text;
  return { ...found, inside: '', purl: npmPurl(name, version), text: own || ourText(root, found, '') };
}

/**
 * Returns the license text of the whole package (`canvas`), for a package with its compiled files for one system, such as
 * `canvas-linux-x64-gnu`.
 */
function textOfWhole(root: string, folder: string, { os: [system] = [] }: PackageFile): string {
  const [whole = ''] = folder.split(`-${system}`);
  return whole === folder || !existsSync(join(root, whole)) ? '' : textInFolder(join(root, whole));
}

function compiledIn(root: string, folder: string): ThirdPartyText[] {
  const path = join(root, folder, 'sbom.cdx.json');
  if (!existsSync(path)) return [];
  const { components } = JSON.parse(readFileSync(path, 'utf8')) as SbomFile;
  const outer = readPackage(join(root, folder));
  return components.flatMap(({ type, name, version = '', purl = '', licenses: [given] = [] }) => {
    // Skip the library itself and its own code.
    if (type === 'file' || (given === undefined && outer.name?.includes(name) === true)) return [];
    const licence = normalized(given?.expression ?? given?.license?.id ?? given?.license?.name ?? '');
    const found = { name, version, licence, url: urlOfPurl(purl, name) };
    return [
      {
        ...found,
        purl,
        inside: outer.name ?? '',
        text: ourText(root, found, `Copyright of the authors of ${name}: ${found.url}`),
      },
    ];
  });
}

function licenceOf({ license, licenses = [] }: PackageFile): string {
  if (typeof license === 'object') return license.type;
  return normalized(license ?? licenses.map(({ type }) => type).join(' OR '));
}

/** Normalizes expressions such as `MIT/Apache-2.0`, which old crates use. */
const normalized = (licence: string) => licence.replaceAll(/ ?\/ ?/g, ' OR ');

function urlOf({ name = '', homepage, repository }: PackageFile): string {
  const source = homepage ?? (typeof repository === 'object' ? repository.url : repository) ?? '';
  const url = source
    .replace(/^git\+/, '')
    .replace(/^git:/, 'https:')
    .replace(/\.git$/, '');
  return url.startsWith('https://') ? url : `https://www.npmjs.com/package/${name}`;
}

function urlOfPurl(purl: string, name: string): string {
  if (purl.startsWith('pkg:cargo/')) return `https://crates.io/crates/${name}`;
  return new URLSearchParams(purl.split('?')[1]).get('repository_url') ?? '';
}

const npmPurl = (name: string, version: string) => `pkg:npm/${name.replace('@', '%40')}@${version}`;
