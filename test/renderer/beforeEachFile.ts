/**
 * Runs before each test file of the page. The files of one worker share their modules, the document and its window,
 * so leftovers of a file or a test are removed here. Hooks in a module that these files import would run only for the
 * first file.
 */
import { cleanup, configure } from '@testing-library/react';
import type { DetachedWindowAPI } from 'happy-dom';
import * as React from 'react';
import { afterAll, afterEach, vi } from 'vitest';
import { forgetWindowScans } from '../../renderer/src/scan/windowScans.ts';

declare global {
  interface Window {
    happyDOM: DetachedWindowAPI;
  }
}

const hasPage = typeof window !== 'undefined';

// The limit is generous because the machine may be busy; elements are found as soon as they appear.
configure({ asyncUtilTimeout: 60_000 });

// React captures stack traces for its warnings, up to a limit per second, which took a seventh of the time of these
// tests. Pretend that the limit is reached.
const internals: object = Reflect.get(React, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE');
Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', {
  get: () => Infinity,
  set() {},
  configurable: true,
});

vi.restoreAllMocks();
vi.unstubAllGlobals();
vi.useRealTimers();
// A code that was scanned just now in another file would count as scanned twice.
forgetWindowScans();
if (hasPage) {
  window.happyDOM.setURL('http://localhost:3000/');
  localStorage.clear();
  // happy-dom computes styles slowly. Without style sheets, an element's own style is equivalent.
  window.getComputedStyle = ({ style }: Element & { style?: CSSStyleDeclaration }) => style ?? document.body.style;
}

afterEach(() => {
  if (!hasPage) return;
  cleanup();
  // Drafts are kept in sessionStorage.
  sessionStorage.clear();
});

// A part of the page that is loaded only when needed may still be loading. If it were cut off, the next files would get its error.
afterAll(() => vi.dynamicImportSettled());
