import { commandScreen, type CommandContent } from '#shared/lib/requests/deviceRequest.ts';
import { fitScreen, LIMITS } from '#shared/lib/requests/screenLimits.ts';
import { listElements } from '#shared/screen/content.ts';
import type { Target } from './targets.ts';

/** The content to show. `arrowAdded` tells whether the alias added its arrow. */
export type Pointed = { content: CommandContent; arrowAdded: boolean; warnings: string[] };

/** Adds the alias's arrow, unless the content already has an arrow or no other element fits. Contract, sections 4 and 6. */
export function pointed(content: CommandContent, { alias, arrow }: Pick<Target, 'alias' | 'arrow'>): Pointed {
  if (arrow === null || content.arrow !== null) return { content, arrowAdded: false, warnings: [] };
  const withArrow: CommandContent = { ...content, arrow };
  const [first] = fitScreen(commandScreen(withArrow, '')).surplus;
  if (first === undefined) return { content: withArrow, arrowAdded: true, warnings: [] };
  const elements = listElements(commandScreen(content, '')).join(', ');
  const warning = `The arrow to ${alias} (${arrow}) is left out: ${LIMITS[first.limit]}, and the command has ${elements}.`;
  return { content, arrowAdded: false, warnings: [warning] };
}
