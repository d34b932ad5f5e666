import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { folderOnDisk } from '../shells/stationProcess.ts';
import { ROOT } from './desktop.ts';

/**
 * A script that stands in for electron-builder's installer. It has the same install mode, and inserts our macros at
 * the same places.
 */
const AROUND = (include: string, outFile: string): string => `
Unicode true
!include LogicLib.nsh
Name "Pickstation"
OutFile "${outFile}"
InstallDir "$PROGRAMFILES64\\Pickstation"
Var installMode
!include "${include}"
Section
  StrCpy $installMode "all"
  !insertmacro customInstall
  WriteUninstaller "$INSTDIR\\uninstall.exe"
SectionEnd
Section "Uninstall"
  StrCpy $installMode "all"
  !insertmacro customUnInstall
SectionEnd
`;

test('our part of the Windows installer compiles, and its firewall rule allows our program in private and domain networks', () => {
  const folder = folderOnDisk('nsis');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const script = join(folder, 'installer.nsi');
  writeFileSync(
    script,
    AROUND(join(ROOT, 'resources/packaging/windows/installer.nsh'), join(folder, 'Pickstation.exe')),
  );
  const said = execFileSync('makensis', ['-WX', '-V4', script], { encoding: 'utf8' });
  const rules = said.split('\n').filter((line) => line.includes('advfirewall'));
  const ours = 'name="Pickstation" program="$INSTDIR\\Pickstation.exe"';
  expect(rules.map((line) => /netsh .*?(?='?$)/.exec(line)?.[0])).toEqual([
    expect.stringContaining(`delete rule ${ours}`),
    expect.stringContaining(`add rule ${ours} dir=in action=allow profile=private,domain enable=yes`),
    expect.stringContaining(`delete rule ${ours}`),
  ]);
  expect(readFileSync(join(folder, 'Pickstation.exe')).toString('latin1', 0, 2)).toBe('MZ');
});
