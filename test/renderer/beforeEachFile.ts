/**
 * Runs before each test file of the page. Files of one worker share their modules, the document and its window, so what a
 * file or a test leaves in them is taken away here. Hooks in a module that such files import would count for the first of
 * them alone.
 */
import { cleanup, configure } from '@testing-library/react';
import type { DetachedWindowAPI } from 'happy-dom';
import * as React from 'react';
import { afterEach, vi } from 'vitest';

declare global {
  interface Window {
    happyDOM: DetachedWindowAPI;
  }
}

const hasPage = typeof window !== 'undefined';

// What is looked for comes as soon as the machine has time for it; a second is no limit where others work too.
configure({ asyncUtilTimeout: 15_000 });

// For its warnings React takes a stack trace of each element, up to so many a second: a seventh of the time of these tests.
const internals: object = Reflect.get(React, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE');
Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', {
  get: () => Infinity,
  set() {},
  configurable: true,
});

vi.restoreAllMocks();
vi.unstubAllGlobals();
vi.useRealTimers();
if (hasPage) {
  window.happyDOM.setURL('http://localhost:3000/');
  localStorage.clear();
  // No style sheet is loaded here, so what an element computes is what it says itself; happy-dom takes long to find that out.
  window.getComputedStyle = ({ style }: Element & { style?: CSSStyleDeclaration }) => style ?? document.body.style;
}

afterEach(() => {
  if (!hasPage) return;
  cleanup();
  // What was typed is kept by the browser's tab.
  sessionStorage.clear();
});
