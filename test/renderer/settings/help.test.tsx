import { act, fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { Diagnostics } from '#shared/api/diagnostics.ts';
import { App } from '../../../renderer/src/app/App.tsx';
import { parseGlossary } from '../../../renderer/src/features/help/glossary.ts';
import { HelpPage } from '../../../renderer/src/features/help/HelpPage.tsx';
import { HELP_TASKS } from '../../../renderer/src/features/help/tasks.ts';
import { pathOf } from '../../../renderer/src/station/calls/call.ts';
import { createThemeChoice } from '../../../renderer/src/shop/theme.ts';
import { userOf } from '../../helpers/snapshots.ts';
import { show, station, testContext } from '../support.tsx';

beforeEach(() => window.history.replaceState(null, '', '/help'));

test('parses the groups, terms and text formatting of the glossary, without links to other documents', () => {
  const [group] = parseGlossary(
    '# Glossary\n\nAll words.\n\n## Telling\nmore\n\n## Places\n\n### Map, rack\n\nThe field is `rack_id`, a **cell** or\n_none_. → [Map](managing.md#map)\n',
  ).slice(-1);
  expect(group).toEqual({
    id: 'places',
    title: 'Places',
    terms: [
      {
        id: 'map-rack',
        words: 'Map, rack',
        paragraphs: [
          [
            { kind: 'text', text: 'The field is ' },
            { kind: 'code', text: 'rack_id' },
            { kind: 'text', text: ', a ' },
            { kind: 'strong', text: 'cell' },
            { kind: 'text', text: ' or ' },
            { kind: 'em', text: 'none' },
            { kind: 'text', text: '.' },
          ],
        ],
      },
    ],
  });
});

/** Returns every text that a page can show, except texts with placeholders. */
function wordsOfPages(): ReadonlySet<string> {
  const found = new Set<string>();
  const collect = (words: unknown): void => {
    if (typeof words === 'string') found.add(words);
    else if (typeof words === 'object' && words !== null) Object.values(words).forEach(collect);
  };
  Object.values(import.meta.glob('../../../renderer/src/words/*.ts', { eager: true })).forEach(collect);
  return found;
}

test('Help has eleven tasks, each with steps and a picture', () => {
  show(testContext({ station: station() }), <HelpPage />);
  const tasks = within(screen.getByRole('region', { name: 'Tasks' })).getAllByRole('article');
  expect(tasks).toHaveLength(11);
  for (const task of tasks) {
    expect(within(task).getAllByRole('listitem').length, task.id).toBeGreaterThan(2);
    const picture = within(task).getByRole('img');
    expect(picture.getAttribute('src'), task.id).toContain(`${task.id}.png`);
    expect(picture.getAttribute('alt'), task.id).not.toBe('');
  }
});

test('every button and page named in a task exists in the texts of the pages', () => {
  const known = wordsOfPages();
  const named = HELP_TASKS.flatMap(({ id, steps }) =>
    steps.flat().flatMap(({ kind, text }) => (kind === 'em' ? [`${id}: ${text}`] : [])),
  );
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((each) => !known.has(each.slice(each.indexOf(': ') + 2)))).toEqual([]);
});

test('Help explains the terms of the glossary, lists the keys and links to the API reference', () => {
  show(testContext({ station: station() }), <HelpPage />);
  const terms = screen.getAllByRole('article');
  expect(terms.length).toBeGreaterThan(40);
  for (const term of terms) expect(term.textContent, term.id).toMatch(/[.)]$/);
  expect(screen.getByRole('main').textContent).not.toMatch(/[[\]`→]|\*\*|\.md/);
  expect(screen.getByRole('link', { name: 'API reference' }).getAttribute('href')).toBe('/docs/');
  expect(screen.getByText('Ctrl K')).toBeDefined();
});

test('each link in the contents leads to its term, and a term in the address gets the focus', () => {
  window.history.replaceState(null, '', '/help#turbo');
  show(testContext({ station: station() }), <HelpPage />);
  const links = within(screen.getByRole('navigation', { name: 'On this page' })).getAllByRole('link');
  for (const link of links) expect(document.querySelector(link.getAttribute('href') ?? '')).not.toBeNull();
  expect(document.activeElement?.textContent).toMatch(/^TurboThe radio gateway/);
});

const DIAGNOSTICS = { log_folder: '~/.local/share/pickstation/logs' };

test.for([
  ['admin', /On this station: ~\/\.local\/share\/pickstation\/logs/],
  ['control', undefined],
] as const)('Help explains where the logs are, and shows the path only to admins (%s)', async ([scope, path]) => {
  let asked = 0;
  const getDiagnostics = (): Promise<Diagnostics> => {
    asked += 1;
    return Promise.resolve(DIAGNOSTICS as Diagnostics);
  };
  await act(async () =>
    show(testContext({ station: { ...station(), user: userOf('Ann', scope) } }, { getDiagnostics }), <HelpPage />),
  );
  const logs = screen.getByRole('region', { name: 'Logs' });
  expect(logs.textContent).toContain('to the logs subfolder of its data folder');
  expect(within(logs).getByRole('link').getAttribute('href')).toBe('/settings#about');
  if (path === undefined) expect(asked).toBe(0);
  else expect(logs.textContent).toMatch(path);
});

test('the diagnostics download includes the log files', () => {
  expect(pathOf('getDiagnostics', { query: { logs: '1' } })).toBe('/api/diagnostics/?logs=1');
});

const storage = { get: () => null, set: () => undefined };

function openWindow(): void {
  window.history.replaceState(null, '', '/nowhere');
  const context = testContext({ station: station(), session: 'signedIn' });
  const theme = createThemeChoice({ root: document.documentElement, storage });
  show(context, <App context={context} theme={theme} />);
}

test('the account menu opens Help, which is not in the rail', async () => {
  openWindow();
  const rail = within(screen.getByRole('navigation', { name: 'Pages' }));
  expect(rail.queryByRole('link', { name: 'Help' })).toBeNull();
  await act(async () => fireEvent.click(rail.getByRole('button', { name: 'Account: admin' })));
  await act(async () => fireEvent.click(screen.getByRole('menuitem', { name: 'Help' })));
  expect(window.location.pathname).toBe('/help');
});

test('the ? key opens Help, except in a field', () => {
  vi.useFakeTimers({ now: 0 });
  onTestFinished(() => void vi.useRealTimers());
  openWindow();
  const field = document.body.appendChild(document.createElement('input'));
  onTestFinished(() => field.remove());
  const type = (target: Element) =>
    act(() => {
      fireEvent.keyDown(target, { key: '?' });
      vi.advanceTimersByTime(1_000);
    });
  type(field);
  expect(window.location.pathname).toBe('/nowhere');
  type(document.body);
  expect(window.location.pathname).toBe('/help');
});
