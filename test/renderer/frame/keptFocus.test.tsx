import { beforeEach, expect, test, vi } from 'vitest';
import { keepFocus } from '../../../renderer/src/kit/keptFocus.ts';

const ROWS = ['one', 'two', 'three']
  .map(
    (name) =>
      `<div data-row id="${name}"><a href="#" data-control="name">${name}</a><button data-control="menu">More ${name}</button></div>`,
  )
  .join('');

beforeEach(() => {
  window.history.replaceState(null, '', '/orders');
  document.body.innerHTML = `<header><button>Back</button><button id="go">Go</button><button>Abort</button></header>
    <main>${ROWS}</main><footer id="bar"><button>Delete</button></footer>`;
  const stop = keepFocus((path) => path === '/pick');
  return () => {
    stop();
    document.body.innerHTML = '';
  };
});

const named = (name: string) => [...document.querySelectorAll('button')].find((each) => each.textContent === name);
const focused = () => document.activeElement?.textContent;

test('removing the focused row moves the focus to the same button in the next row, or in the previous row if none follows', async () => {
  named('More two')?.focus();
  document.querySelector('#two')?.remove();
  await vi.waitFor(() => expect(focused()).toBe('More three'));
  document.querySelector('#three')?.remove();
  await vi.waitFor(() => expect(focused()).toBe('More one'));
});

test('moves the focus to the button that replaces the focused one', async () => {
  named('Go')?.focus();
  document.querySelector('#go')?.remove();
  await vi.waitFor(() => expect(focused()).toBe('Abort'));
});

test('if the focused bar is removed, moves the focus to the list row where Tab stops', async () => {
  document.querySelector('#two a')?.setAttribute('tabindex', '0');
  named('Delete')?.focus();
  document.querySelector('#bar')?.remove();
  await vi.waitFor(() => expect(focused()).toBe('two'));
});

test('if a row is removed while a dialog is open, keeps the focus in the dialog and then moves it to the next row', async () => {
  named('More two')?.focus();
  const dialog = document.createElement('div');
  dialog.setAttribute('role', 'dialog');
  dialog.innerHTML = '<button>Cancel</button>';
  document.body.append(dialog);
  named('Cancel')?.focus();
  document.querySelector('#two')?.remove();
  await twoFrames();
  expect(focused()).toBe('Cancel');
  dialog.remove();
  await vi.waitFor(() => expect(focused()).toBe('More three'));
});

function openDialog(name: string): HTMLElement {
  const dialog = document.createElement('div');
  dialog.setAttribute('role', 'alertdialog');
  dialog.innerHTML = `<button>${name}</button>`;
  document.body.append(dialog);
  named(name)?.focus();
  return dialog;
}

test('when a dialog that replaced another one closes, returns the focus to the button that opened the first dialog', async () => {
  named('Go')?.focus();
  const first = openDialog('Add');
  const second = openDialog('Done');
  first.remove();
  await twoFrames();
  expect(focused()).toBe('Done');
  second.remove();
  await vi.waitFor(() => expect(focused()).toBe('Go'));
});

test('does not move the focus out of an open dialog if its focused element is removed', async () => {
  named('Go')?.focus();
  const dialog = openDialog('Add');
  const seen: boolean[] = [];
  named('Go')?.addEventListener('focus', () => void seen.push(dialog.isConnected));
  await twoFrames();
  named('Add')?.remove();
  await twoFrames();
  dialog.remove();
  await vi.waitFor(() => expect(focused()).toBe('Go'));
  expect(seen).toEqual([false]);
});

test('never moves the focus to a text field', async () => {
  document.querySelector('#bar')?.insertAdjacentHTML('beforeend', '<input type="text"><textarea></textarea>');
  named('Delete')?.focus();
  named('Delete')?.remove();
  await vi.waitFor(() => expect(focused()).toBe('one'));
});

const twoFrames = async () => {
  for (let frame = 0; frame < 4; frame += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one frame after the other
    await new Promise((next) => requestAnimationFrame(next));
  }
};

test.each(['/pick', '/places'])(
  'does not move the focus on the Pick page or after the page has changed: %s',
  async (path) => {
    if (path === '/pick') window.history.replaceState(null, '', path);
    named('Go')?.focus();
    window.history.replaceState(null, '', path);
    document.querySelector('#go')?.remove();
    await twoFrames();
    expect(document.activeElement).toBe(document.body);
  },
);

test('does not move the focus if the removed element had already lost it', async () => {
  named('Go')?.focus();
  named('Go')?.blur();
  await twoFrames();
  document.querySelector('#go')?.remove();
  await twoFrames();
  expect(document.activeElement).toBe(document.body);
});
