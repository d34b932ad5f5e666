import { XMLParser, XMLValidator } from 'fast-xml-parser';

/** XML elements in order, as parsed by a library that the station does not use. */
type Node = { [name: string]: Node[] | string } & { ':@'?: Record<string, string> };

const parser = new XMLParser({
  preserveOrder: true,
  parseTagValue: false,
  trimValues: false,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  htmlEntities: true,
  processEntities: { enabled: true, maxExpandedLength: Infinity },
});

/** Reads an XML answer by the documented rule: `<i>` is an array element, nil is null, and everything else is text. */
export function readByRule(xml: string): { root: string; namespace: string | undefined; value: unknown } {
  const verdict = XMLValidator.validate(xml);
  if (verdict !== true) throw new Error(`${verdict.err.msg} in line ${verdict.err.line}: ${xml.slice(0, 500)}`);
  const nodes = (parser.parse(xml) as Node[]).map(parts).filter(({ name }) => name !== '?xml' && name !== '#text');
  const [root] = nodes;
  if (root === undefined || nodes.length > 1) throw new Error(`${nodes.length} roots: ${xml.slice(0, 500)}`);
  return { root: root.name, namespace: root.attributes['xmlns'], value: valueOf(root) };
}

type Parts = { name: string; content: Node[]; text: string; attributes: Record<string, string> };

function parts(node: Node): Parts {
  const { ':@': attributes = {}, ...rest } = node;
  const [[name, content] = ['', '']] = Object.entries(rest);
  return typeof content === 'string'
    ? { name, content: [], text: content, attributes }
    : { name, content, text: '', attributes };
}

function valueOf({ content, attributes }: Parts): unknown {
  if (attributes['xsi:nil'] === 'true') return null;
  const all = content.map(parts);
  const children = all.filter(({ name }) => name !== '#text');
  if (children.length === 0) return all.map(({ text }) => text).join('');
  if (children.every(({ name }) => name === 'i')) return children.map(valueOf);
  return Object.fromEntries(children.map((child) => [decoded(child.name), valueOf(child)]));
}

function decoded(name: string): string {
  return name.replaceAll(/_x([0-9A-F]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** Returns what XML can express of a JSON answer: every value becomes text, and all empty values look alike. */
export function byTheRule(json: unknown): unknown {
  if (json === null) return null;
  if (typeof json === 'string') return asXmlCan(json);
  if (typeof json !== 'object') return JSON.stringify(json);
  if (Array.isArray(json)) return json.length === 0 ? '' : json.map(byTheRule);
  const fields = Object.entries(json).map(([name, value]) => [name, byTheRule(value)] as const);
  return fields.length === 0 ? '' : Object.fromEntries(fields);
}

/** Replaces the characters that XML 1.0 does not allow. */
export function asXmlCan(text: string): string {
  return Array.from(text, (character) => (isInXml(character.codePointAt(0) ?? 0) ? character : '\ufffd')).join('');
}

function isInXml(code: number): boolean {
  if (code < 0x20) return code === 9 || code === 10 || code === 13;
  return !(code >= 0xd800 && code < 0xe000) && code !== 0xfffe && code !== 0xffff;
}
