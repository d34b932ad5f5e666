import help from '../../../../docs/help.md?raw';
import { anchorOf, runsOf, type TextRun } from './glossary.ts';

/**
 * Step-by-step instructions for a task in a shop. `picture` is the alternative text of the picture, and `id` is the
 * name of the picture's file.
 */
export type HelpTask = { id: string; title: string; picture: string; steps: readonly (readonly TextRun[])[] };

/** Parses the Markdown of `docs/help.md`: `##` begins a task, which has a picture and a numbered list. */
export function parseTasks(markdown: string): readonly HelpTask[] {
  return markdown
    .split(/^## /m)
    .slice(1)
    .map((task) => {
      const [title = ''] = task.split('\n', 1);
      return {
        id: anchorOf(title),
        title,
        picture: /!\[([^\]]*)\]/.exec(task)?.[1] ?? '',
        steps: task
          .split(/^\d+\. /m)
          .slice(1)
          .map(runsOf),
      };
    });
}

export const HELP_TASKS = parseTasks(help);
