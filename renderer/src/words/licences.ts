import { pages } from './pages.ts';

export const licences = {
  title: pages.licences.title,
  note: 'Pickstation and what it contains',
  own: 'Pickstation is free software under the MIT License. It contains the work of others, under the licences below.',
  list: 'Licences by name',
  text: 'All as text',
  sbom: 'CycloneDX SBOM',
  inside: (name: string) => `in ${name}`,
  source: 'Source',
  failed: 'The licences could not be loaded.',
} as const;
