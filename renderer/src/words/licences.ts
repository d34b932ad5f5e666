import { pages } from './pages.ts';

export const licences = {
  title: pages.licences.title,
  note: 'Pickstation and its components',
  own: 'Pickstation is free software under the MIT License. It includes third-party software under the licenses below.',
  list: 'Licenses by name',
  text: 'All as text',
  sbom: 'CycloneDX SBOM',
  inside: (name: string) => `in ${name}`,
  source: 'Source',
  failed: 'The licenses could not be loaded.',
} as const;
