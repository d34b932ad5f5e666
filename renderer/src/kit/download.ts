/** Saves a file that was made here. */
export function saveFile(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  followLink(url, name);
  // The browser has taken it by then; what it still held would stay as long as the page.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Saves the file at an address under this name. */
export function followLink(address: string, name: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
}
