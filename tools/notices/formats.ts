import type { Notices } from '#shared/lib/station/thirdParty.ts';
import type { ThirdPartyText } from './collect.ts';

const RULE = '='.repeat(100);

/** Returns the notices for the page. Each text occurs only once. */
export function toNotices(all: readonly ThirdPartyText[]): Notices {
  const texts = [...new Set(all.map(({ text }) => text))];
  return { texts, packages: all.map(({ text, ...one }) => ({ ...one, text: texts.indexOf(text) })) };
}

/** Returns the notices as a text file for the program's folder. Each text occurs once, below the names to which it applies. */
export function toText(all: readonly ThirdPartyText[]): string {
  const { texts, packages } = toNotices(all);
  const parts = texts.map((text, index) => {
    const names = packages.filter((one) => one.text === index).map(nameLine);
    return `${RULE}\n${names.join('\n')}\n\n${text}\n`;
  });
  return `Pickstation contains work of others, under these licences.\n\n${parts.join('\n')}`;
}

function nameLine({ name, version, licence, url, inside }: Notices['packages'][number]): string {
  return [`${name} ${version}`.trim(), inside && `in ${inside}`, licence, url].filter((part) => part !== '').join(', ');
}

/** Returns a CycloneDX 1.6 bill of materials, as JSON. The same list always produces the same text. */
export function toSbom(all: readonly ThirdPartyText[], program: { name: string; version: string }): string {
  const components = all.map(({ name, version, licence, url, purl, inside }) => ({
    type: 'library',
    'bom-ref': [inside, `${name}@${version}`].filter((part) => part !== '').join('|'),
    name,
    ...(version === '' ? {} : { version }),
    licenses: [/ |LicenseRef/.test(licence) ? { expression: licence } : { license: { id: licence } }],
    ...(purl === '' ? {} : { purl }),
    ...(url === '' ? {} : { externalReferences: [{ type: 'website', url }] }),
    ...(inside === '' ? {} : { properties: [{ name: 'pickstation:inside', value: inside }] }),
  }));
  const component = {
    type: 'application',
    'bom-ref': 'pickstation',
    ...program,
    licenses: [{ license: { id: 'MIT' } }],
  };
  return JSON.stringify(
    { bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, metadata: { component }, components },
    null,
    2,
  );
}
