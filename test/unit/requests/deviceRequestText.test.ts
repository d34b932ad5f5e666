import { describe, expect, test } from 'vitest';
import { command, statics } from './deviceRequestRig.ts';

const FAMILY = '👨‍👩‍👧‍👦';
const E_ACUTE = 'e\u0301';

describe('text that is too long', () => {
  test('is cut at 26 characters as a reader counts them, with a warning, and never inside a character', () => {
    const exact = 'abcdefghijklmnopqrstuvwxyz';
    expect(command({ line1: exact })).toMatchObject({ lines: [exact], warnings: [] });
    const cut = command({ line1: `${exact}!` });
    expect(cut.lines).toEqual([exact]);
    expect(cut.warnings).toEqual([expect.stringContaining('line1')]);
    expect(command({ line1: FAMILY.repeat(27) }).lines).toEqual([FAMILY.repeat(26)]);
    expect(command({ line1: FAMILY.repeat(26) }).warnings).toEqual([expect.stringContaining('box')]);
    expect(command({ line1: E_ACUTE.repeat(27) }).lines).toEqual(['é'.repeat(26)]);
    expect(command({ line1: '🔩'.repeat(30) }).lines).toEqual(['🔩'.repeat(26)]);
    expect(statics({ statica: `${exact}!` })).toMatchObject({
      changes: { statica: exact },
      warnings: [expect.stringContaining('statica')],
    });
  });

  test('is also cut if one letter carries thousands of accents', () => {
    const { lines, warnings } = command({ line1: `a${'\u0301\u0323'.repeat(5_000)}` });
    expect(lines[0]?.length).toBeLessThanOrEqual(1_000);
    expect(warnings[0]).toMatch(/^line1 .*cut/);
    const astral = command({ line1: `a${'\u{1D165}'.repeat(5_000)}` });
    expect(astral.lines[0]?.isWellFormed()).toBe(true);
  });

  test('a line break or another control character becomes a space, with a warning', () => {
    const { lines, warnings } = command({ line1: 'a\nb\tc\u0000d', line2: 'x' });
    expect(lines).toEqual(['a b c d', 'x']);
    expect(warnings).toEqual([expect.stringContaining('line1')]);
  });

  test('a barcode whose backslash was read as a backspace becomes text, with a warning that says how to write it', () => {
    const { lines, barcode, warnings } = command({ line1: '\bc4006381333931' });
    expect([lines, barcode]).toEqual([[' c4006381333931'], '']);
    expect(warnings).toEqual([
      'line1 begins with a backspace, which is shown as a space. For a barcode write the backslash twice: "\\\\bc…".',
    ]);
  });
});

describe('a character that no screen can draw', () => {
  test('is kept, and named once in a warning', () => {
    const { lines, warnings } = command({ line1: 'Größe Ж 漢字漢', line2: '😀' });
    expect(lines).toEqual(['Größe Ж 漢字漢', '😀']);
    expect(warnings).toEqual([expect.stringMatching(/^line1 .*"漢 字"/), expect.stringMatching(/^line2 .*"😀"/)]);
    expect(statics({ staticd: '漢' }).warnings).toEqual([expect.stringMatching(/^staticd .*漢/)]);
  });

  test('gets no warning if it is cut off or part of a code', () => {
    expect(command({ line1: `${'a'.repeat(26)}漢` }).warnings).toEqual([expect.stringContaining('cut')]);
    expect(command({ line1: '\\qr漢' })).toMatchObject({ qrcode: '漢', warnings: [] });
  });

  test('does not occur in Western or Eastern European, Greek or Cyrillic text, or among the common signs', () => {
    expect(command({ line1: 'Łódź Ωμέγα Привет', line2: '€ £ ¥ ° µ ½ ² × – … →' }).warnings).toEqual([]);
  });
});

describe('a line of invisible characters', () => {
  test.for([' ', '\u200b', '\u202e', '\u00a0\u3000 ', '\ufeff', '\u0000'])(
    'gets a warning and keeps its place: %j',
    (line2) => {
      const { lines, warnings } = command({ line1: 'x', line2 });
      expect(lines).toHaveLength(2);
      expect(warnings).toContainEqual(expect.stringMatching(/^line2 .*shows nothing/));
      expect(statics({ staticb: line2 }).warnings).toContainEqual(expect.stringMatching(/^staticb .*shows nothing/));
    },
  );

  test('gets no warning if a letter is among them', () => {
    expect(command({ line1: ' \u200bx' }).warnings).toEqual([]);
  });
});

describe('a label', () => {
  test('that does not fit next to five lines gets a warning, with or without spaces', () => {
    for (const label of ['ABCDE-1234/'.repeat(5).slice(0, 45), 'Warehouse 3 second floor aisle 17 shelf 4 bin'])
      expect(statics({ locationoverride: label }).warnings).toEqual([expect.stringContaining('too long')]);
    for (const label of ['ABCDE-1234/'.repeat(5).slice(0, 30), 'Hall 3 second floor aisle 17'])
      expect(statics({ locationoverride: label }).warnings).toEqual([]);
  });

  test('of invisible characters only gets a warning', () => {
    for (const request of [{ locationoverride: '\u200b' }, { command: 'location', line1: '\u200b' }])
      expect(statics(request).warnings).toEqual([expect.stringContaining('shows nothing')]);
  });

  test('containing an invisible character gets a warning', () => {
    for (const request of [{ locationoverride: 'A-1\u200b' }, { command: 'location', line1: '\u202eA-1' }])
      expect(statics(request).warnings).toEqual([expect.stringContaining('has a character that cannot be seen')]);
  });

  test('too long for any screen is stored whole, with a warning', () => {
    expect(statics({ locationoverride: 'A-01-02' })).toEqual({
      changes: { locationoverride: 'A-01-02' },
      warnings: [],
    });
    for (const label of ['Warehouse 3, second floor, aisle 17, shelf 4, bin 2', 'W'.repeat(1_000), 'i'.repeat(1_000)]) {
      for (const request of [{ locationoverride: label }, { command: 'location', line1: label }]) {
        const { changes, warnings } = statics(request);
        expect(changes.locationoverride).toBe(label);
        expect(warnings).toEqual([expect.stringContaining('too long')]);
      }
    }
  });

  test('with a character that no screen can draw gets a warning', () => {
    expect(statics({ locationoverride: '棚1' }).warnings).toEqual([expect.stringMatching(/^locationoverride .*棚/)]);
    expect(statics({ command: 'location', line1: '棚1' }).warnings).toEqual([expect.stringMatching(/^line1 .*棚/)]);
  });
});
