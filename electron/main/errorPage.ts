import { words } from './words.ts';

/** Returns the error page to show in place of a station page that cannot be loaded, with the reason and a link back to `url`. */
export function errorPage(title: string, text: string, url: string): string {
  const html = `<!doctype html>
<html lang="en">
  <meta charset="utf-8" />
  <meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'" />
  <meta name="color-scheme" content="light dark" />
  <title>${escaped(words.name)}</title>
  <style>
    :root { color-scheme: light dark; font: 17px/1.5 Inter, system-ui, sans-serif;
      background: light-dark(#e9ecef, #0e1115); color: light-dark(#12161c, #e9edf2) }
    main { max-width: 34rem; margin: 20vh auto 0; padding: 0 24px }
    h1 { font-size: 26px; line-height: 1.25; margin: 0 0 12px }
    p { margin: 0 0 24px; color: light-dark(#4a5462, #9aa5b4) }
    a { display: inline-block; padding: 0 20px; line-height: 44px; border-radius: 9px; text-decoration: none;
      background: light-dark(#1f3350, #c9d6ea); color: light-dark(#fff, #12161c) }
    a:focus-visible { outline: 3px solid light-dark(#1f3350, #c9d6ea); outline-offset: 3px }
  </style>
  <main>
    <h1>${escaped(title)}</h1>
    <p>${escaped(text)}</p>
    <a href="${escaped(url)}">${escaped(words.tryAgain)}</a>
  </main>
</html>`;
  return `data:text/html;charset=utf-8,${encodeURIComponent(html)}`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
