import { pages } from './pages.ts';

export const licences = {
  title: pages.licences.title,
  note: 'Pickstation and what it contains',
  own: 'Pickstation is free software under the MIT License. It contains the work of others, under the licenses below.',
  list: 'Licenses by name',
  text: 'All as text',
  sbom: 'CycloneDX SBOM',
  inside: (name: string) => `in ${name}`,
  source: 'Source',
  failed: 'The licenses could not be loaded.',
} as const;
