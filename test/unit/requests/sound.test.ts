import { describe, expect, test } from 'vitest';
import { parseSound, SOUND_NAMES, type ParsedSound } from '#shared/sound/sound.ts';
import { TUNE_NAMES, TUNES } from '#shared/sound/tunes.ts';

type Sound = Extract<ParsedSound, { ok: true }>;

function sound(text: string): Sound {
  const parsed = parseSound(text);
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed;
}

function complaint(text: string): string {
  const parsed = parseSound(text);
  if (parsed.ok) throw new Error(`"${text}" was accepted.`);
  return parsed.message;
}

describe('an encoding', () => {
  test('is a tempo in milliseconds per beat, and pairs of a note and a duration in beats', () => {
    const { tempoMs, notes, encoding, warnings } = sound('140,c5,2,p,1,a5,3');
    expect(tempoMs).toBe(140);
    expect(notes.map(({ ms }) => ms)).toEqual([280, 140, 420]);
    expect(encoding).toBe('140,c5,2,p,1,a5,3');
    expect(warnings).toEqual([]);
  });

  test.for([
    ['c5', 523.25],
    ['a5', 880],
    ['a5s', 932.33],
    ['b5', 987.77],
    ['c6', 1046.5],
    ['g6', 1567.98],
    ['b7', 3951.07],
  ] as const)('has equal temperament at A4 = 440 Hz: %s is %d Hz', ([note, frequencyHz]) => {
    expect(sound(`100,${note},1`).notes[0]?.frequencyHz).toBeCloseTo(frequencyHz, 1);
  });

  test('may contain a silent rest', () => {
    expect(sound('100,p,2').notes).toEqual([{ frequencyHz: null, ms: 200 }]);
  });

  test('ignores case, spaces and leading zeros, and is written without them', () => {
    expect(sound(' 0140 , C5 ,02, A5S, 1 ').encoding).toBe('140,c5,2,a5s,1');
  });

  test('may lack a comma after a number, and gets a warning that says where', () => {
    const { encoding, warnings } = sound('140,c5,2a5,1,p,3g6s,1');
    expect(encoding).toBe('140,c5,2,a5,1,p,3,g6s,1');
    expect(warnings).toHaveLength(2);
    expect(warnings[0]).toContain('character 9');
    expect(warnings[0]).toContain('"2,a5"');
    expect(sound('140c5,2').encoding).toBe('140,c5,2');
  });

  test('stays the same when it is read, written and read again', () => {
    for (const name of TUNE_NAMES) {
      const { encoding, notes } = sound(name);
      expect(sound(encoding)).toMatchObject({ encoding, notes });
    }
  });
});

describe('an error names its position and what is expected there', () => {
  test.for([
    ['140,h5,1', '"h5" at character 5', 'a note of the octaves 5 to 7'],
    ['140,c4,1', '"c4" at character 5', 'a note of the octaves 5 to 7'],
    ['140,c8,1', '"c8" at character 5', 'a note of the octaves 5 to 7'],
    ['140,c5s5,1', '"c5s5" at character 5', 'a note'],
    ['140,c5,2,,1', 'nothing at character 10', 'a note'],
    ['140,c5,0', '"0" at character 8', 'a duration in whole beats'],
    ['140,c5,1.5', '"1.5" at character 8', 'a duration'],
    ['140,c5,-1', '"-1" at character 8', 'a duration'],
    ['140,c5,70000', '"70000" at character 8', '65535'],
    ['0,c5,1', '"0" at character 1', 'the tempo'],
    ['1e3,c5,1', '', 'a note'],
    ['140,c5,1,', 'nothing at character 10', 'a note'],
    ['c5,2,e5,2', '"c5" at character 1', 'the tempo'],
    ['-140,c5,2', '"-140" at character 1', 'the tempo'],
    [',140,c5,2', 'nothing at character 1', 'the tempo'],
    [' 140 , c5 , x', '"x" at character 13', 'a duration'],
    ['140,c5,2a5,1,h5,1', '"h5" at character 14', 'a note'],
  ] as const)('%s', ([text, found, expected]) => {
    const message = complaint(text);
    expect(message).toContain(found);
    expect(message).toContain(expected);
  });

  test('a note without a duration, a tempo without notes', () => {
    expect(complaint('140,c5,2,a5s')).toContain('"a5s"');
    expect(complaint('140,c5,2,a5s')).toContain('at character 13 its duration');
    expect(complaint('140')).toContain('no notes');
    expect(complaint('140')).toContain('at character 4 pairs');
  });

  test('distinguishes an invalid encoding from an unknown name', () => {
    for (const text of ['140,h5,1', '140', ',', '7', 'c5,1']) {
      expect(parseSound(text), text).toMatchObject({ ok: false, kind: 'malformed' });
    }
    for (const text of ['', 'Ding dong', 'c5', '-', 'toString']) {
      expect(parseSound(text), text).toMatchObject({ ok: false, kind: 'unknown' });
    }
  });

  test('the error about an unknown name lists the known names', () => {
    const message = complaint('Ding dong');
    expect(message).toContain('"Ding dong"');
    for (const name of SOUND_NAMES) expect(message).toContain(name);
  });

  test('an empty text is not a sound', () => {
    expect(parseSound('').ok).toBe(false);
    expect(parseSound(' ').ok).toBe(false);
    expect(parseSound(',').ok).toBe(false);
  });

  test('quotes only a part of a long text', () => {
    expect(complaint('x'.repeat(5_000)).length).toBeLessThan(600);
    expect(complaint(`140,${'x'.repeat(5_000)},1`).length).toBeLessThan(300);
    expect(complaint('🎵'.repeat(5_000)).isWellFormed()).toBe(true);
  });

  test('does not read a text beyond the maximum length', () => {
    expect(complaint(`140${',c5,2'.repeat(200_000)}`)).toContain('the maximum is 10000');
    expect(sound(`140,${' '.repeat(9_000)}c5,1`).encoding).toBe('140,c5,1');
  });

  test('warns about the first missing commas, and counts the others', () => {
    const { encoding, warnings } = sound(`140,c5,${'1a5,'.repeat(1_000)}1`);
    expect(encoding).toBe(`140,c5,${'1,a5,'.repeat(1_000)}1`);
    expect(warnings).toHaveLength(4);
    expect(warnings[3]).toContain('997 more commas');
  });
});

describe('a name', () => {
  test('"none" is silence, and "beep" the regular beep', () => {
    expect(sound('none')).toEqual({ ok: true, tempoMs: 0, notes: [], encoding: '', warnings: [] });
    expect(sound('Beep').encoding).toBe('15,c5,4');
  });

  test.for([
    ['regular beep', 'Regular Beep'],
    ['RegularBeep', 'Regular Beep'],
    ['TADA', 'Ta-Da'],
    ['ta–da', 'Ta-Da'],
    ['scale reverse', 'Scale-Reverse'],
    [' Dreidel Dreidel ', 'Dreidel-Dreidel'],
    ['charge 2', 'Charge2'],
  ] as const)('"%s" is %s, regardless of case, spaces and hyphens', ([text, name]) => {
    expect(sound(text).encoding).toBe(TUNES[name]);
  });

  test('exists for each of the 21 published tunes, which read without warnings', () => {
    expect(TUNE_NAMES).toHaveLength(21);
    for (const name of TUNE_NAMES) expect(sound(name), name).toMatchObject({ warnings: [] });
  });
});
