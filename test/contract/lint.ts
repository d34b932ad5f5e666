import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import type { OpenApi } from './documents.ts';

/** Rules of the linter beside those that it recommends, and those that cannot be kept. */
const CONFIG = {
  extends: ['spec', 'recommended'],
  telemetry: 'off' as const,
  rules: {
    'operation-description': 'error',
    'parameter-description': 'error',
    'operation-tag-defined': 'error',
    'tag-description': 'error',
    'component-name-unique': 'error',
    'no-invalid-media-type-examples': { severity: 'error', allowAdditionalProperties: false },
    'no-invalid-parameter-examples': 'error',
    'no-invalid-schema-examples': 'error',
    // Every path of the specification ends with a slash.
    'no-path-trailing-slash': 'off',
    // The query-string interface: what may stand for its DeviceID, the station can tell from a word.
    'no-ambiguous-paths': 'off',
  } as const,
};

/** What two independent validators have against a document, a line each; nothing is asked of the network. */
export async function findFaults(document: OpenApi): Promise<string[]> {
  const { valid, errors } = await new Validator().validate(structuredClone(document));
  const config = await createConfig(CONFIG);
  const problems = await lintFromString({ source: JSON.stringify(document), config });
  return [
    ...(valid ? [] : [`schema: ${JSON.stringify(errors)}`]),
    ...problems
      .filter((problem) => !isXmlExample(problem))
      .map(({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer ?? ''})`),
  ];
}

/** An example in XML is a text; the linter looks for the object that it stands for. A test of its own reads them. */
function isXmlExample({ ruleId, location }: { ruleId: string; location: { pointer?: string }[] }): boolean {
  return ruleId === 'no-invalid-media-type-examples' && /[~+]1?xml\/examples\//.test(location[0]?.pointer ?? '');
}
