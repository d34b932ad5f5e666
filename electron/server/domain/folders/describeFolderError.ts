/** Meanings of system error codes. The first match wins. */
const MEANINGS: readonly (readonly [codes: RegExp, meaning: (path: string) => string])[] = [
  [/^ENOENT$/, (path) => `${path} does not exist. Create it, or connect its drive or share.`],
  [
    /^(?:EACCES|EPERM)$/,
    (path) => `The station is not allowed to read and write in ${path}. Give its account this right.`,
  ],
  [/^EROFS$/, (path) => `${path} is read-only. Allow the station to write in it.`],
  [/^(?:ENOTDIR|EEXIST)$/, (path) => `${path} is a file, not a folder. Rename or remove it.`],
  [
    /^(?:EISDIR|ERR_FS_EISDIR|ENOTEMPTY)$/,
    (path) => `${path} is a folder, but the station needs this name for a file. Rename or remove the folder.`,
  ],
  [
    /^ELOOP$/,
    (path) =>
      `${path} is a link, or was replaced while the station used it. Remove it: the station does not follow links here, and creates its subfolders itself.`,
  ],
  [/^(?:ENOSPC|EDQUOT)$/, (path) => `The disk of ${path} is full. Free some space.`],
  [/^(?:EBUSY|ETXTBSY)$/, (path) => `Another program uses ${path}. Close it in that program.`],
  [
    /^(?:EIO|ESTALE|ETIMEDOUT|EHOSTDOWN|EHOSTUNREACH|ENETDOWN|ENETUNREACH|ENODEV|ENXIO|ENOTCONN)$/,
    (path) => `${path} does not answer. Check its drive or share.`,
  ],
];

/** Describes why a file or folder cannot be used and what to do. `path` is the path to name in the message. */
export function describeFolderError(error: unknown, path: string): string {
  const { code = '' } = error as NodeJS.ErrnoException;
  const meaning = MEANINGS.find(([codes]) => codes.test(code))?.[1](path);
  return meaning ?? `${path} cannot be used (${code === '' ? String(error) : code}).`;
}
