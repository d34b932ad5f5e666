import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const LICENCE_FILE = /licen[cs]e|copying|notice/i;
const CODE = /\.(?:[cm]?[jt]s|json|map|html)$/;

/** Returns all license texts in the folder of a package, one after another, or '' if there are none. */
export function textInFolder(folder: string): string {
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && LICENCE_FILE.test(entry.name) && !CODE.test(entry.name))
    .map(({ name }) => name)
    .toSorted();
  const texts = names.map((name) => trimmed(readFileSync(join(folder, name), 'utf8')));
  return [...new Set(texts)].join('\n\n');
}

/**
 * Returns our copy of a license text: the file named after the part or, if there is none, the standard text of `licence` below the
 * copyright line. Returns '' if we have no copy, or if the license needs a copyright line that is missing.
 */
export function ourText(root: string, { name, licence }: { name: string; licence: string }, copyright: string): string {
  const own = textAt(join(root, 'resources/licences', `${name.toLowerCase()}.txt`));
  if (own !== '') return own;
  if (copyright === '' && licence !== 'Unlicense') return '';
  const texts = chosen(licence).map((id) => textAt(join(root, 'resources/licences/standard', `${id}.txt`)));
  return texts.includes('') ? '' : [copyright, ...texts].join('\n\n').trimStart();
}

/** Returns a section of a document, without the Markdown fences around its text. */
export function textInSection(path: string, section: string): string {
  const found = readFileSync(path, 'utf8')
    .split(/^## /m)
    .find((part) => part.startsWith(section));
  return trimmed((found ?? '').replaceAll(/^```.*\n/gm, ''));
}

/** Returns the licenses in an SPDX expression that apply together. Of alternatives, chooses MIT if possible, otherwise the first. */
function chosen(licence: string): string[] {
  return licence.split(' AND ').map((part) => {
    const alternatives = part.replaceAll(/[()]/g, '').split(' OR ');
    return alternatives.includes('MIT') ? 'MIT' : (alternatives[0] ?? '');
  });
}

function textAt(path: string): string {
  return existsSync(path) ? trimmed(readFileSync(path, 'utf8')) : '';
}

function trimmed(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(/[ \t]+$/gm, '')
    .replace(/^\n+/, '')
    .trimEnd();
}
