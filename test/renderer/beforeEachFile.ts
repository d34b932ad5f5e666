/**
 * Runs before each test file of the page. Files of one worker share their modules and the document, so what a test leaves in
 * it is taken away here. Hooks in a module that such files import would count for the first of them alone.
 */
import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';

// What is looked for comes as soon as the machine has time for it; a second is no limit where others work too.
configure({ asyncUtilTimeout: 15_000 });

afterEach(() => {
  if (typeof document === 'undefined') return;
  cleanup();
  // What was typed is kept by the browser's tab.
  sessionStorage.clear();
});
