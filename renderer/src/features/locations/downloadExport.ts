/** Saves every alias as a file, by the very address that scripts use. */
export function downloadExport(): void {
  const link = document.createElement('a');
  link.href = '/api/location-aliases/export/';
  link.download = 'location-aliases.csv';
  document.body.append(link);
  link.click();
  link.remove();
}
