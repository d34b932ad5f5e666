/**
 * An entry of a folder. `isFile` is false for links and devices. `names` is the number of hard links, or 0 if the entry's name is not
 * Unicode, so that no operation can reach it.
 */
export type FolderEntry = { name: string; size: number; modifiedMs: number; isFile: boolean; names: number };

/**
 * An open folder of the shop, such as the inbox. Links cannot redirect operations to other folders. Each `name` is the name of a direct
 * entry. All operations reject with the system's error, whose `code` is the reason.
 */
export type OpenFolder = {
  path: string;
  /** Device and inode of the folder and of each parent, starting with the folder. They are the same through links and bind mounts. */
  identities(): Promise<string[]>;
  /** Lists files and all other entries except folders. Does not access entries whose names `isWanted` rejects. */
  list(isWanted: (name: string) => boolean): Promise<FolderEntry[]>;
  /** Returns the kind of the entry with this name, or undefined if there is none. */
  find(name: string): Promise<'file' | 'other' | undefined>;
  /** Creates a subfolder unless it exists, and opens it. Rejects with `ELOOP` if it is a link. */
  makeFolder(name: string): Promise<OpenFolder>;
  /**
   * Returns the content and its SHA-256 in hexadecimal, or undefined if the file is larger than `limit` bytes. Rejects with `ELOOP` for a
   * link, and with `EMLINK` for a file with several hard links.
   */
  read(name: string, limit: number): Promise<{ bytes: Uint8Array; hash: string } | undefined>;
  /** Writes a whole file or nothing, and replaces an existing one. Resolves once it is on disk. */
  write(name: string, text: string): Promise<void>;
  move(name: string, to: { folder: OpenFolder; name: string }): Promise<void>;
  /** Moves the file at a path into this folder. */
  take(path: string, name: string): Promise<void>;
  close(): Promise<void>;
};

/** The folders of the shop, which may be network shares. */
export type Folders = {
  /** Rejects unless the path is a folder whose files can be read and written. */
  open(path: string): Promise<OpenFolder>;
  /**
   * Calls `changed` when something in the folder may have changed, and once when watching has begun. Returns a function that stops
   * watching.
   */
  watch(folder: string, changed: () => void): () => void;
};
