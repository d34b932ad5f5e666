import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ThirdParty } from '#shared/lib/station/thirdParty.ts';

type Part = Pick<ThirdParty, 'name' | 'licence' | 'url'> & {
  version?: string;
  inside?: string;
  /**
   * Document and section that contain the license text. If undefined, the text is in a file in `resources/licences` that is named after the
   * part, or is a standard text.
   */
  text?: readonly [document: string, section: string];
  /** Copyright line to put above the standard text of the license. */
  copyright?: string;
};

const GLYPHS = 'shared/screen/glyphs/LICENSES.md';
const SIGNS = 'shared/screen/icons/LICENSES.md';

/** Lists fonts, pictures, and what is compiled into libraries. No tool finds these parts, so each new part needs a row here. */
export function listParts(root: string): Part[] {
  return [
    { name: 'Chromium', licence: 'BSD-3-Clause', url: 'https://www.chromium.org', inside: 'electron' },
    {
      name: 'FFmpeg',
      licence: 'LGPL-2.1-or-later',
      url: 'https://chromium.googlesource.com/chromium/third_party/ffmpeg',
      inside: 'electron',
    },
    { name: 'Node', licence: 'MIT', url: 'https://nodejs.org', inside: 'electron' },
    { name: 'Skia', licence: 'BSD-3-Clause', url: 'https://skia.org', inside: '@napi-rs/canvas' },
    {
      name: 'SQLite',
      version: sqliteVersion(root),
      licence: 'blessing',
      url: 'https://sqlite.org',
      inside: 'better-sqlite3',
    },
    {
      name: 'ZXing-C++',
      licence: 'Apache-2.0',
      url: 'https://github.com/zxing-cpp/zxing-cpp',
      inside: 'zxing-wasm',
      copyright: 'Copyright 2016 Nu-book Inc., ZXing authors, Axel Waggershauser and the other authors of ZXing-C++',
    },
    {
      name: 'zueci',
      licence: 'BSD-3-Clause AND MIT',
      url: 'https://github.com/zxing-cpp/zxing-cpp',
      inside: 'zxing-wasm',
    },
    { name: 'Emscripten', licence: 'MIT', url: 'https://emscripten.org', inside: 'zxing-wasm' },
    {
      name: 'Terminus Font',
      version: '4.48',
      licence: 'OFL-1.1',
      url: 'https://terminus-font.sourceforge.net',
      text: [GLYPHS, 'SIL Open Font License'],
    },
    {
      name: 'DejaVu Fonts',
      version: '2.37',
      licence: 'Bitstream-Vera AND LicenseRef-Arev',
      url: 'https://dejavu-fonts.github.io',
      text: [GLYPHS, 'Bitstream Vera and Arev'],
    },
    {
      name: 'Material Symbols',
      licence: 'Apache-2.0',
      url: 'https://github.com/google/material-design-icons',
      text: [SIGNS, 'Material Design Icons'],
    },
    {
      name: 'Material Design Icons',
      version: '7.4.47',
      licence: 'Apache-2.0',
      url: 'https://pictogrammers.com',
      text: [SIGNS, 'Material Design Icons'],
    },
    { name: 'Health Icons', licence: 'MIT', url: 'https://healthicons.org', text: [SIGNS, 'Health Icons'] },
    {
      name: 'Open Clip Art Library',
      licence: 'LicenseRef-public-domain',
      url: 'https://openclipart.org',
      text: [SIGNS, 'Open Clip Art Library'],
    },
  ];
}

function sqliteVersion(root: string): string {
  const header = readFileSync(join(root, 'node_modules/better-sqlite3/deps/sqlite3/sqlite3.h'), 'utf8');
  return /SQLITE_VERSION +"([^"]+)"/.exec(header)?.[1] ?? '';
}
