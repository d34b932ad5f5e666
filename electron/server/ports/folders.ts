/**
 * An entry of a folder. `isFile`: neither a link nor a device. `names`: how many names the file has; more than one: hard links; none: its
 * name is not Unicode, so no operation reaches it.
 */
export type FolderEntry = { name: string; size: number; modifiedMs: number; isFile: boolean; names: number };

/**
 * A folder of the shop that is open: no link leads its operations elsewhere. Names are those of entries directly in it. All reject with the
 * error of the system, whose `code` says why.
 */
export type OpenFolder = {
  path: string;
  /** Device and inode of the folder and of each parent, starting with the folder. They are the same through links and bind mounts. */
  identities(): Promise<string[]>;
  /** Lists files and everything else except folders. Reads nothing of an entry whose name `isWanted` rejects. */
  list(isWanted: (name: string) => boolean): Promise<FolderEntry[]>;
  /** Undefined if no entry has this name. */
  find(name: string): Promise<'file' | 'other' | undefined>;
  /** Makes a subfolder unless it exists, and opens it. Rejects with `ELOOP` if it is a link. */
  makeFolder(name: string): Promise<OpenFolder>;
  /**
   * The content and its SHA-256, hexadecimal; undefined: larger than `limit` bytes. Rejects with `ELOOP` or `EMLINK` if it is a link or has
   * several names.
   */
  read(name: string, limit: number): Promise<{ bytes: Uint8Array; hash: string } | undefined>;
  /** Writes the whole file or nothing, and replaces an existing one. Resolves once it is on disk. */
  write(name: string, text: string): Promise<void>;
  move(name: string, to: { folder: OpenFolder; name: string }): Promise<void>;
  /** Moves the file at a path into it. */
  take(path: string, name: string): Promise<void>;
  close(): Promise<void>;
};

/** The folders of the shop, which may be shares. */
export type Folders = {
  /** Rejects unless it is a folder in which files can be read and written. */
  open(path: string): Promise<OpenFolder>;
  /** Calls `changed` when something in the folder may have changed, and once watching has begun. Returns a function that stops watching. */
  watch(folder: string, changed: () => void): () => void;
};
