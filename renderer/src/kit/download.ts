export function saveFile(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  followLink(url, name);
  // Free the memory after the browser has certainly read the file.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Downloads the file at an address under this name. */
export function followLink(address: string, name: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
}
