/**
 * Styles for Swagger UI with the colors of the page (`renderer/src/kit/tokens.css`). The selectors begin with the id of Swagger UI's
 * element, so that they override the library's rules in both themes.
 */
export const STYLE = `:root {
  color-scheme: light dark;
  --font: 'Inter Variable', Inter, system-ui, sans-serif;
  --font-code: ui-monospace, 'Cascadia Mono', 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace;
  --ground: light-dark(#e9ecef, #0e1115);
  --panel: light-dark(#f4f6f8, #14181d);
  --card: light-dark(#ffffff, #1a1f26);
  --hover: light-dark(#eef1f4, #222933);
  --line: light-dark(#d5dae0, #2a313a);
  --edge: light-dark(#7f8996, #6c7786);
  --ink: light-dark(#12161c, #e9edf2);
  --ink-quiet: light-dark(#566070, #9aa5b4);
  --control: light-dark(#1f3350, #c9d6ea);
  --control-hover: light-dark(#2b446a, #dfe8f5);
  --on-control: light-dark(#ffffff, #12161c);
  --alarm-ink: light-dark(#b01f16, #ff9d92);
  --care-ink: light-dark(#94480a, #f5a55c);
}
:root[data-theme='light'] { color-scheme: light; }
:root[data-theme='dark'] { color-scheme: dark; }
html:root:root, #reference .swagger-ui { background: var(--ground); color: var(--ink); }
html:root:root body { margin: 0; padding: 0; background: transparent; }
.bar {
  display: flex; align-items: center; gap: 12px; flex-wrap: wrap;
  padding: 10px 24px; background: var(--panel); border-bottom: 1px solid var(--line); font-family: var(--font);
}
.bar h1 { margin: 0; font-size: 1.0625rem; font-weight: 600; }
.bar nav { display: flex; gap: 20px; margin-left: auto; }
.bar a, #reference .swagger-ui a.nostyle, #reference .swagger-ui a.link, #reference .swagger-ui .info a { color: var(--control); font-size: 0.8125rem; }
.note { padding: 24px; font-family: var(--font); }

#reference .swagger-ui, #reference .swagger-ui :is(
  .info .title, .info p, .info li, .opblock-tag, .opblock .opblock-summary-description, .opblock-description-wrapper p,
  .btn, label, table thead tr th, table tbody tr td, .tab li, .response-col_status, .parameter__name, .parameter__type,
  .model-title, select, input, .opblock .opblock-section-header h4, .opblock-title_normal p, section.models h4,
  .responses-inner h4, .responses-inner h5, .dialog-ux h3, .dialog-ux h4, .dialog-ux p, .loading-container .loading::after
) { font-family: var(--font); }
#reference .swagger-ui :is(.opblock-summary-path, code, pre, textarea, .model, .prop-type, .prop-format, .parameter__in) { font-family: var(--font-code); }
#reference .swagger-ui .wrapper { max-width: 1120px; padding: 0 24px; }
#reference .swagger-ui .info { margin: 24px 0 16px; }
#reference .swagger-ui .info .title { font-size: 1.625rem; color: var(--ink); }
#reference .swagger-ui .info .title small, #reference .swagger-ui .info .title small.version-stamp {
  border: 1px solid var(--edge); background: transparent; padding: 2px 8px;
}
#reference .swagger-ui .info .title small pre { color: var(--ink-quiet); font: 500 0.6875rem/1.4 var(--font); }
#reference .swagger-ui .info :is(p, li, .base-url, a) { font-size: 0.875rem; color: var(--ink); }
#reference .swagger-ui :is(.renderedMarkdown, .markdown) code, #reference .swagger-ui .info code {
  background: var(--hover); color: var(--ink); border-radius: 5px; padding: 1px 5px; font-size: 0.8125rem;
}
#reference .swagger-ui .scheme-container { background: transparent; box-shadow: none; padding: 0 0 8px; margin: 0; }
#reference .swagger-ui .filter .operation-filter-input {
  margin: 8px 0 16px; padding: 10px 12px; border: 1px solid var(--edge); border-radius: 9px; background: var(--card); color: var(--ink); font-size: 0.875rem;
}

#reference .swagger-ui .opblock-tag { border-bottom: 1px solid var(--line); color: var(--ink); font-size: 1.0625rem; }
#reference .swagger-ui .opblock-tag small { color: var(--ink-quiet); font-size: 0.8125rem; }
#reference .swagger-ui .opblock-tag:hover { background: var(--hover); }
#reference .swagger-ui .opblock:is(.opblock-get, .opblock-post, .opblock-put, .opblock-patch, .opblock-delete) {
  margin: 0 0 8px; background: var(--card); border: 1px solid var(--line); border-radius: 9px; box-shadow: none;
}
#reference .swagger-ui .opblock .opblock-summary { border: 0; padding: 6px 8px; }
#reference .swagger-ui .opblock.is-open .opblock-summary { border-bottom: 1px solid var(--line); }
#reference .swagger-ui .opblock .opblock-summary-method {
  min-width: 72px; padding: 5px 0; border-radius: 5px; background: transparent; border: 1px solid var(--edge);
  color: var(--ink); font: 600 0.6875rem/1.4 var(--font); text-shadow: none;
}
#reference .swagger-ui .opblock:is(.opblock-post, .opblock-put, .opblock-patch) .opblock-summary-method { background: var(--control); border-color: var(--control); color: var(--on-control); }
#reference .swagger-ui .opblock.opblock-delete .opblock-summary-method { border-color: var(--alarm-ink); color: var(--alarm-ink); }
#reference .swagger-ui .opblock :is(.opblock-summary-path, .opblock-summary-path a) { color: var(--ink); font-size: 0.8125rem; font-weight: 500; }
#reference .swagger-ui .opblock .opblock-summary-description { color: var(--ink-quiet); font-size: 0.8125rem; }
#reference .swagger-ui .opblock .opblock-section-header { border-top: 0; background: var(--panel); box-shadow: none; border-bottom: 1px solid var(--line); }
#reference .swagger-ui :is(.opblock-description-wrapper p, .opblock-section-header h4, table thead tr :is(th, td), table tbody tr td,
  .response-col_status, .response-col_links, .parameter__name, .parameter__type, .tab li, .tab li button.tablinks, .model, .model-title,
  section.models h4, section.models h4 span, .examples-select__section-label, .responses-inner :is(h4, h5), label, .prop-type, .opblock-title_normal p, .renderedMarkdown p, .markdown p) { color: var(--ink); }
#reference .swagger-ui :is(.parameter__in, .prop-format, .parameter__extension, .opblock-summary .view-line-link) { color: var(--ink-quiet); }
#reference .swagger-ui .parameter__name.required::after, #reference .swagger-ui .parameter__name.required span { color: var(--alarm-ink); }
#reference .swagger-ui table thead tr :is(th, td) { border-color: var(--line); }
#reference .swagger-ui .opblock.opblock-get .tab-header .tab-item.active h4 span::after,
#reference .swagger-ui .opblock .tab-header .tab-item.active h4 span::after { background: var(--control); }
#reference .swagger-ui section.models { border-color: var(--line); border-radius: 9px; background: var(--card); }
#reference .swagger-ui section.models.is-open h4 { border-color: var(--line); }
#reference .swagger-ui section.models .model-container { background: var(--panel); }

#reference .swagger-ui .callbacks-container h2 { margin: 16px 0 8px; color: var(--ink); font: 600 0.9375rem/1.4 var(--font); }
#reference .swagger-ui .callbacks-container .parameters-col_description { overflow-wrap: anywhere; }
#reference .swagger-ui .btn {
  min-height: 32px; border: 1px solid var(--edge); border-radius: 9px; background: var(--card); color: var(--ink); box-shadow: none; font-weight: 600;
}
#reference .swagger-ui .btn:hover { background: var(--hover); box-shadow: none; }
#reference .swagger-ui .auth-wrapper .btn.modal-btn { line-height: 1; }
#reference .swagger-ui .btn:is(.execute, .modal-btn.auth.authorize) { background: var(--control); border-color: var(--control); color: var(--on-control); }
#reference .swagger-ui .btn:is(.execute, .modal-btn.auth.authorize):hover { background: var(--control-hover); }
#reference .swagger-ui .btn.authorize { border-color: var(--edge); color: var(--ink); }
#reference .swagger-ui .btn.authorize svg, #reference .swagger-ui :is(.authorization__btn, .opblock-control-arrow, .expand-operation, .arrow) svg { fill: var(--ink-quiet); }
#reference .swagger-ui .btn.cancel { border-color: var(--alarm-ink); color: var(--alarm-ink); background: transparent; }
#reference .swagger-ui :is(input[type='text'], input[type='password'], input[type='search'], input[type='email'], input[type='file'], textarea, select) {
  border: 1px solid var(--edge); border-radius: 9px; background-color: var(--card); color: var(--ink); box-shadow: none;
}
#reference .swagger-ui :is(input, textarea, select).invalid { border-color: var(--alarm-ink); background-color: var(--card); }
:root :focus-visible { outline: 2px solid var(--control); outline-offset: 2px; }
#reference .swagger-ui .opblock :is(.highlight-code > .microlight, .microlight, pre.microlight, .curl-command pre, .request-url pre) {
  background: var(--panel) !important; color: var(--ink); font-weight: 400; border: 1px solid var(--line); border-radius: 9px;
}
#reference .swagger-ui .microlight code, #reference .swagger-ui .microlight span { color: var(--ink) !important; }
#reference .swagger-ui .copy-to-clipboard { background: var(--ink-quiet); }
#reference .swagger-ui .download-contents { background: var(--control); color: var(--on-control); }
#reference .swagger-ui :is(.response-col_links, .highlight-code > .copy-to-clipboard:empty) { display: none; }
#reference .swagger-ui .opblock .highlight-code > .microlight { min-height: 0; }
#reference .swagger-ui :is(.model-box, .model-box-control, .responses-inner, .response) { background: transparent; }
#reference .swagger-ui .model-box { background: var(--panel); }
#reference .swagger-ui .dialog-ux .modal-ux { background: var(--card); border: 1px solid var(--line); border-radius: 14px; }
#reference .swagger-ui .dialog-ux .modal-ux-header { border-color: var(--line); }
#reference .swagger-ui .dialog-ux :is(.modal-ux-content :is(p, h4, li, label, code), .modal-ux-header h3) { color: var(--ink); }
#reference .swagger-ui .auth-container { border-color: var(--line); }
#reference .swagger-ui :is(.scopes h2, .auth-container .errors) { color: var(--ink); }
#reference .swagger-ui .scopes h2 a { color: var(--control); }
@media (max-width: 640px) {
  #reference .swagger-ui .opblock .opblock-section-header { flex-wrap: wrap; }
  .bar { padding: 10px 16px; }
  .bar nav { margin-left: 0; }
  #reference .swagger-ui .wrapper { padding: 0 16px; }
}
`;
