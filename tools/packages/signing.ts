import { spawnSync } from 'node:child_process';

/** Runs a program. Returns its exit code and output. */
export type RunCheck = (program: string, args: string[]) => { code: number | null; said: string };

export const runCheck: RunCheck = (program, args) => {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  return { code: status, said: `${stdout ?? ''}${stderr ?? ''}` };
};

/**
 * Returns the faults that the system will find in the signature of a build, or an empty list. `built` is the .app on macOS and the
 * installer on Windows. Checks the files rather than the signing settings.
 */
export function signingFaults(platform: NodeJS.Platform, built: string, run: RunCheck = runCheck): string[] {
  if (platform === 'darwin') {
    const { code, said } = run('codesign', ['--verify', '--deep', '--strict', '--verbose=4', built]);
    const isAdHoc = run('codesign', ['--display', '--verbose=2', built]).said.includes('Signature=adhoc');
    if (code !== 0 || isAdHoc) return [`It is NOT SIGNED${code === 0 ? ' (ad hoc only)' : `: ${said.trim()}`}.`];
    return run('xcrun', ['stapler', 'validate', built]).code === 0 ? [] : ['It is signed, but NOT NOTARISED.'];
  }
  if (platform === 'win32') {
    const quoted = `'${built.replaceAll("'", "''")}'`;
    const script = `(Get-AuthenticodeSignature -LiteralPath ${quoted}).Status`;
    const status = run('powershell', ['-NoProfile', '-NonInteractive', '-Command', script]).said.trim();
    return status === 'Valid' ? [] : [`It is NOT SIGNED (${status || 'no answer'}).`];
  }
  return [];
}

const WHAT_HAPPENS: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'macOS will refuse to open it on other machines.',
  win32: 'Windows will warn of it, and SmartScreen can block it.',
};

/** Returns a conspicuous warning for the end of a build, or undefined if the signature has no faults. */
export function signingNotice(platform: NodeJS.Platform, built: string, run?: RunCheck): string | undefined {
  const faults = signingFaults(platform, built, run);
  if (faults.length === 0) return undefined;
  const lines = [
    built,
    ...faults,
    WHAT_HAPPENS[platform] ?? '',
    'To sign, see docs/releasing.md. Do not publish this build.',
  ].filter((line) => line !== '');
  const width = Math.max(...lines.map((line) => line.length));
  const edge = '*'.repeat(width + 4);
  return ['', edge, ...lines.map((line) => `* ${line.padEnd(width)} *`), edge, ''].join('\n');
}
