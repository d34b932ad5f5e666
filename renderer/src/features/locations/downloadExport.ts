import { followLink } from '../../ui/download.ts';

/** Saves every alias as a file, by the very address that scripts use. */
export function downloadExport(): void {
  followLink('/api/location-aliases/export/', 'location-aliases.csv');
}
