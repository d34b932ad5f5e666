/** The reference page: Swagger UI from the installed package with our header and style. */
export const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>Interface for scripts · Pickstation</title>
    <link rel="icon" type="image/svg+xml" href="mark.svg" />
    <link rel="stylesheet" href="swagger-ui.css" />
    <link rel="stylesheet" href="page.css" />
    <script src="theme.js"></script>
  </head>
  <body>
    <header class="bar">
      <img src="mark.svg" alt="" width="28" height="28" />
      <h1>Interface for scripts</h1>
      <nav aria-label="Further">
        <a href="/">Back to the station</a>
        <a href="/api/openapi.json">OpenAPI document</a>
      </nav>
    </header>
    <noscript><p class="note">This page needs JavaScript. The OpenAPI document does not.</p></noscript>
    <main id="reference"></main>
    <script src="swagger-ui-bundle.js"></script>
    <script src="start.js"></script>
  </body>
</html>
`;

/** Script that applies the theme that this browser uses for the station's page, before anything is drawn. */
export const THEME_SCRIPT = `'use strict';
(() => {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const root = document.documentElement;
  function chosen() {
    try {
      return localStorage.getItem('pickstation.theme');
    } catch {
      return null;
    }
  }
  function apply() {
    const theme = chosen();
    const isKnown = theme === 'light' || theme === 'dark';
    if (isKnown) root.dataset.theme = theme;
    else delete root.dataset.theme;
    root.classList.toggle('dark-mode', isKnown ? theme === 'dark' : system.matches);
  }
  apply();
  system.addEventListener('change', apply);
  addEventListener('storage', apply);
})();
`;

/** Returns the script that starts Swagger UI. It sends requests only to the station, and keeps a key only while the page is open. */
export const startScript = (stationId: string): string => `'use strict';
(() => {
  /** Adds the CSRF token to writes of a signed-in person. */
  function withToken(request) {
    const isOwn = new URL(request.url, location.href).origin === location.origin;
    const [, token] =
      /(?:^|; )pickstation-csrf-${stationId}=([^;]+)/.exec(document.cookie) ??
      /(?:^|; )csrftoken=([^;]+)/.exec(document.cookie) ??
      [];
    if (isOwn && token !== undefined && request.method !== 'GET') request.headers['x-csrf-token'] = token;
    return request;
  }
  /** Makes the tabs of parameters and callbacks reachable by keyboard, because the library supports only the mouse. */
  function reachTabs() {
    for (const tab of document.querySelectorAll('.tab-item:not([tabindex])')) {
      tab.tabIndex = 0;
      tab.setAttribute('role', 'button');
    }
  }
  new MutationObserver(reachTabs).observe(document.getElementById('reference'), { childList: true, subtree: true });
  addEventListener('keydown', (event) => {
    if (!event.target.matches('.tab-item') || (event.key !== 'Enter' && event.key !== ' ')) return;
    event.preventDefault();
    event.target.click();
  });
  /**
   * Scrolls to the operation in the address again until the position is right, because the library scrolls before it knows the heights
   * above.
   */
  function followAddress(tries) {
    const [, tag, operation] = /^#\\/([^/]+)\\/([^/]+)$/.exec(location.hash) ?? [];
    if (operation === undefined || tries === 0) return;
    const { top = -1 } = document.getElementById('operations-' + tag + '-' + operation)?.getBoundingClientRect() ?? {};
    if (top >= 0 && top < innerHeight) return;
    ui.layoutActions.parseDeepLinkHash(location.hash);
    setTimeout(followAddress, 500, tries - 1);
  }
  const ui = SwaggerUIBundle({
    url: '/api/openapi.json',
    onComplete: () => setTimeout(followAddress, 500, 10),
    dom_id: '#reference',
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    filter: true,
    persistAuthorization: false,
    queryConfigEnabled: false,
    requestInterceptor: withToken,
    validatorUrl: null,
  });
})();
`;

export const MARK = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
  <rect width="32" height="32" rx="9" fill="#1f3350" />
  <rect x="6.5" y="8" width="12.5" height="16" rx="2.2" fill="#f5f4ee" />
  <path d="M9.6 12.6h6.3M9.6 16h4.2M9.6 19.4h6.3" stroke="#1f3350" stroke-width="1.7" stroke-linecap="round" />
  <circle cx="24" cy="16" r="3.1" fill="#f5f4ee" />
</svg>
`;
