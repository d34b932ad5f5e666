import { screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { showPage, smallShop } from './stationMapSupport.tsx';
import { command } from './support.tsx';
import { type } from './workSupport.tsx';

beforeEach(() => {
  window.localStorage.clear();
  window.history.replaceState(null, '', '/');
});

const marks = () => [...document.querySelectorAll('mark')].map((mark) => mark.textContent);
const unfaded = () =>
  screen
    .getAllByRole('link')
    .filter((link) => link.closest('[data-deviceid]') !== null && link.closest('[data-faded]') === null)
    .map((link) => link.textContent);
const search = (text: string) => type('Find a place or device', text, 'searchbox');

function shopWithTexts() {
  const shop = smallShop();
  const [first, second, ...others] = shop.devices;
  if (first === undefined || second === undefined) throw new Error('The shop has no devices.');
  return {
    ...shop,
    devices: [
      { ...first, statica: 'Cable tie 100' },
      { ...second, commands: [command('1', { line1: 'Cable tie 200' })] },
      ...others,
    ],
  };
}

test('the map leaves devices by what they show and by their statics', async () => {
  showPage(shopWithTexts());
  await search('cable');
  expect(unfaded().toSorted()).toEqual(['A-2-1', 'A-2-2']);
});

test('the map marks the part of a label that matched', async () => {
  showPage(shopWithTexts());
  await search('a-2');
  expect(marks()).toEqual(['A-2', 'A-2']);
});
