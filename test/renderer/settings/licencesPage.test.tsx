import { fireEvent, screen, within } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Notices } from '#shared/lib/station/thirdParty.ts';
import { LicencesPage } from '../../../renderer/src/features/licences/LicencesPage.tsx';
import { show, station, testContext } from '../support.tsx';

const one = { url: 'https://one.test', purl: '', licence: 'MIT', inside: '' };
const NOTICES: Notices = {
  packages: [
    { ...one, name: 'one', version: '1.0.0', text: 1 },
    {
      ...one,
      name: 'two',
      version: '264b5fbf5b912b39f98d038bf75d39be0a73f21b',
      inside: 'one',
      licence: 'FTL',
      text: 0,
    },
  ],
  texts: ['The licence of two', 'The licence of one'],
};

function answerWith(...answers: Response[]): void {
  const fetch = vi.spyOn(window, 'fetch');
  for (const answer of answers) fetch.mockResolvedValueOnce(answer);
  onTestFinished(() => fetch.mockRestore());
}

test('each package shows its version, license and parent package, and opens its license text', async () => {
  answerWith(Response.json(NOTICES));
  show(testContext({ station: station() }), <LicencesPage />);
  const list = await screen.findByRole('list', { name: 'Licenses by name' });
  const [first, second] = within(list).getAllByRole('listitem');
  expect(first?.textContent).toBe('one 1.0.0 MIT');
  expect(second?.textContent).toBe('two 264b5fbf5b91 in oneFTL');
  const details = first?.querySelector('details') ?? document.body;
  details.setAttribute('open', '');
  fireEvent(details, new Event('toggle'));
  expect(await screen.findByText('The licence of one')).toBeDefined();
  expect(first?.textContent).toContain('Source: https://one.test');
  expect(screen.queryByText('The licence of two')).toBeNull();
});

test('if the licenses cannot be loaded, says so and can retry', async () => {
  answerWith(Response.json({ detail: 'There is no such page.' }, { status: 404 }), Response.json(NOTICES));
  show(testContext({ station: station() }), <LicencesPage />);
  expect(await screen.findByText('The licenses could not be loaded.')).toBeDefined();
  fireEvent.click(screen.getByRole('button'));
  expect(await screen.findByRole('list', { name: 'Licenses by name' })).toBeDefined();
});

test('links to both files for download', () => {
  answerWith(Response.json(NOTICES));
  show(testContext({ station: station() }), <LicencesPage />);
  for (const [name, address] of [
    ['All as text', '/THIRD-PARTY-NOTICES.txt'],
    ['CycloneDX SBOM', '/sbom.cdx.json'],
  ] as const) {
    const link = screen.getByRole('link', { name });
    expect(link.getAttribute('href')).toBe(address);
    expect(link.hasAttribute('download')).toBe(true);
  }
});
