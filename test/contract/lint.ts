import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import type { OpenApi } from './documents.ts';

/** Rules beyond the recommended ones, and exceptions for those that cannot be followed. */
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
    // The query-string interface: the station can tell a DeviceID from the words that may be in its place.
    'no-ambiguous-paths': 'off',
  } as const,
};

/** The complaints of two independent validators about a document, one per line. Needs no network. */
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

/** An XML example is a string, but the linter expects the object that it encodes. Another test reads these examples. */
function isXmlExample({ ruleId, location }: { ruleId: string; location: { pointer?: string }[] }): boolean {
  return ruleId === 'no-invalid-media-type-examples' && /[~+]1?xml\/examples\//.test(location[0]?.pointer ?? '');
}
