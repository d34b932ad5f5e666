import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import type { OpenApi } from './documents.ts';

/** Rules in addition to the recommended ones, and exceptions for those that cannot be followed. */
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
    // The query-string interface is ambiguous for the linter, but the station distinguishes a DeviceID from words in its place.
    'no-ambiguous-paths': 'off',
  } as const,
};

/** Lists the errors that two independent validators find in a document, one per line. Needs no network. */
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

/**
 * Returns whether an error is about an XML example. Such an example is a string, where the linter expects an object. Another test reads
 * these examples.
 */
function isXmlExample({ ruleId, location }: { ruleId: string; location: { pointer?: string }[] }): boolean {
  return ruleId === 'no-invalid-media-type-examples' && /[~+]1?xml\/examples\//.test(location[0]?.pointer ?? '');
}
