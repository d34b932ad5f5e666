export type TextRun = { kind: 'text' | 'strong' | 'em' | 'code'; text: string };
export type Term = { id: string; words: string; paragraphs: readonly (readonly TextRun[])[] };
export type Group = { id: string; title: string; terms: readonly Term[] };

/**
 * Parses the Markdown of `docs/glossary.md`: `##` begins a group and `###` a term, and everything else is a paragraph.
 * Omits the links after an arrow, because the station does not serve those documents.
 */
export function parseGlossary(markdown: string): readonly Group[] {
  const groups: { id: string; title: string; terms: (Term & { paragraphs: TextRun[][] })[] }[] = [];
  for (const block of markdown.split(/\n\s*\n/)) {
    const [, level = '', words = ''] = /^(#{2,3}) (.+)$/.exec(block.trim()) ?? [];
    const group = groups.at(-1);
    if (level === '##') groups.push({ id: anchorOf(words), title: words, terms: [] });
    else if (level === '###') group?.terms.push({ id: anchorOf(words), words, paragraphs: [] });
    else group?.terms.at(-1)?.paragraphs.push(runsOf(block));
  }
  return groups;
}

/** Returns the anchor of a heading. It is the same as on GitHub, so that links work in both places. */
export function anchorOf(words: string): string {
  return words
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(/\s+/g, '-');
}

const KINDS = { '**': 'strong', _: 'em', '`': 'code' } as const;

/** Parses bold, italic and code in a paragraph. Links become plain text. */
export function runsOf(paragraph: string): TextRun[] {
  const text = paragraph
    .replace(/→[^]*$/, '')
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const marked = /(?<mark>\*\*|\b_|`)(?<inside>.+?)\k<mark>/g;
  const runs: TextRun[] = [];
  let end = 0;
  for (const { 0: whole, index, groups } of text.matchAll(marked)) {
    runs.push({ kind: 'text', text: text.slice(end, index) });
    runs.push({ kind: KINDS[groups?.['mark'] as keyof typeof KINDS], text: groups?.['inside'] ?? '' });
    end = index + whole.length;
  }
  runs.push({ kind: 'text', text: text.slice(end) });
  return runs.filter((run) => run.text !== '');
}
