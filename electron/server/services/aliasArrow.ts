import { LINE_FIELDS } from '#shared/lib/deviceFields.ts';
import { commandScreen, screenProblem, type CommandContent } from '#shared/lib/deviceRequest.ts';
import type { Target } from './targets.ts';

/** What a command shows, and whether the arrow in it is the one that the alias gave. */
export type Pointed = { content: CommandContent; arrowAdded: boolean; warnings: string[] };

/**
 * The content as it is shown at this target: with the arrow to the place of an alias, where it says none itself and one
 * more element fits. Contract, sections 4 and 6.
 */
export function pointed(content: CommandContent, { alias, arrow }: Pick<Target, 'alias' | 'arrow'>): Pointed {
  if (arrow === null || content.arrow !== null) return { content, arrowAdded: false, warnings: [] };
  const withArrow: CommandContent = { ...content, arrow };
  const problem = screenProblem(commandScreen(withArrow, ''), LINE_FIELDS);
  if (problem === undefined) return { content: withArrow, arrowAdded: true, warnings: [] };
  const warning = `The arrow to ${alias} (${arrow}) is left out, since there is no room for it. ${problem}`;
  return { content, arrowAdded: false, warnings: [warning] };
}
