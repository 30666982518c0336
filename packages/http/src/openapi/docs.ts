import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { Type } from '@gatehouse/schema';
import type { OpenApi } from './openapi.ts';
import { bytesAs, textAs } from '../media-type.ts';
import { defineSubjects, type Route } from '../route.ts';

const route = defineSubjects<unknown>()({ access: 'public' });

/** `/openapi.json` and `/docs` below `folder`: made at the first request, as that takes a tenth of a start. */
export function docsRoutes(read: () => OpenApi, folder: '' | '/public' = ''): Route<unknown>[] {
  const files = readFiles();
  let document: OpenApi | undefined;
  let page: string | undefined;
  return [
    route(`GET ${folder}/openapi.json`, {
      summary: 'Get this API as an OpenAPI 3.1 document',
      response: Type.Object({}, { additionalProperties: true }),
      handler: () => (document ??= read()),
    }),
    route(`GET ${folder}/docs`, {
      summary: 'Get the documentation of this API',
      response: textAs('text/html; charset=utf-8'),
      headers: { fixed: { 'Content-Security-Policy': referencePolicy(files) } },
      handler: () => (page ??= referencePage((document ??= read()), files)),
    }),
  ];
}

/** The files of the pages of `docsRoutes`. They are served at `/docs/…`, whatever the folder of the pages. */
export function referenceFileRoutes(): Route<unknown>[] {
  const { script, font } = readFiles();
  return [fileRoute(script, 'text/javascript; charset=utf-8'), fileRoute(font, 'font/woff2')];
}

function fileRoute(name: string, mediaType: string): Route<unknown> {
  let bytes: Uint8Array | undefined;
  return route(`GET /docs/${name}`, {
    summary: `Get ${name}`,
    response: bytesAs(mediaType),
    headers: {
      fixed: {
        'Cache-Control': 'public, max-age=31536000, immutable',
        // The page's sandbox gives it an origin of its own, which is another one than that of its files.
        'Cross-Origin-Resource-Policy': 'cross-origin',
      },
    },
    rules: { cors: 'any' },
    handler: () => (bytes ??= readFileSync(new URL(name, FOLDER))),
  });
}

const FOLDER = new URL('./reference/', import.meta.url);

/** The build puts exactly these there. Their names change with their content. */
function readFiles(): { script: string; font: string } {
  const names = readdirSync(FOLDER);
  const [script, font] = ['.js', '.woff2'].map((ending) => names.find((name) => name.endsWith(ending)));
  if (script === undefined || font === undefined)
    throw new Error('the script of the API reference is not built: npm run build');
  return { script, font };
}

/** The names of the page's files below `/docs/`: the script that shows the document (Scalar), and its typeface. */
interface ReferenceFiles {
  script: string;
  font: string;
}

/**
 * Its script is not ours, and stands on the origin of the account pages. So the page is in a sandbox
 * (`referencePolicy`): it has an origin of its own, no cookies, and nobody to send anything to
 * (docs/decisions/0037-api-reference.md).
 */
function referencePage(document: OpenApi, { script, font }: ReferenceFiles): string {
  // Behind `<` alone can an HTML parser see anything but text.
  const data = JSON.stringify(document).replaceAll('<', String.raw`\u003c`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${document.info.title}</title>
<link rel="icon" href="data:,">
<style>${styleWith(font)}</style>
</head>
<body>
<noscript>This page needs JavaScript. For programs: <a href="openapi.json">openapi.json</a></noscript>
<div id="reference"></div>
<script type="application/json" id="document">${data}</script>
<script>${PREPARATION}</script>
<script src="/docs/${script}"></script>
<script>${START}</script>
</body>
</html>
`;
}

/**
 * What Scalar needs in a sandbox: an in-memory storage, as the browser refuses access to the real one; styles set by
 * script, as the policy allows those but not style attributes; accessible names for its buttons; no compilation
 * of code by its schema library; and Enter in the search opens the first result, if none is chosen.
 */
const PREPARATION = `globalThis.__zod_globalConfig = { jitless: true };
for (const name of ['localStorage', 'sessionStorage']) {
  const nothing = { length: 0, key: () => null, getItem: () => null, setItem() {}, removeItem() {}, clear() {} };
  Object.defineProperty(globalThis, name, { value: nothing });
}
const { setAttribute } = Element.prototype;
Element.prototype.setAttribute = function (name, value) {
  if (name === 'style') this.style.cssText = value;
  else if (name !== 'aria-label' || !/^Show all /.test(value)) setAttribute.call(this, name, value);
};
const html = Object.getOwnPropertyDescriptor(Element.prototype, 'innerHTML');
Object.defineProperty(Element.prototype, 'innerHTML', {
  ...html,
  set(text) {
    html.set.call(this, String(text).replaceAll(' style="', ' data-style="'));
    const styled = (this.content ?? this).querySelectorAll('[data-style]');
    for (const element of styled) element.style.cssText = element.dataset.style;
  },
});
addEventListener('keydown', ({ key, target }) => {
  if (key !== 'Enter' || target.role !== 'combobox') return;
  if (document.querySelector('[role=option][aria-selected=true]') === null)
    target.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }));
}, true);`;

/** Nothing that asks or leads elsewhere: no telemetry, agents, fonts, clients of its maker, nor requests of its own. */
const START = `Scalar.createApiReference('#reference', {
  content: JSON.parse(document.getElementById('document').textContent),
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  hideTestRequestButton: true,
  showDeveloperTools: 'never',
  documentDownloadType: 'none',
  persistAuth: false,
  defaultOpenAllTags: false,
});`;

/** The typeface, colors with enough contrast, and lists without their own scroll bars. */
const styleWith = (font: string): string => `
@font-face { font-family: Inter; font-weight: 100 900; font-display: swap; src: url(/docs/${font}); }
.light-mode { --scalar-color-2: #4d4d4d; --scalar-color-3: #616161; --scalar-color-green: #006b45; --scalar-color-blue: #00609c; --scalar-color-orange: #a83800; --scalar-color-red: #b80008; --scalar-color-yellow: #7a5a00; --scalar-color-purple: #5203d1; }
ul[aria-label$=' endpoints'], :has(> ul[aria-label$=' endpoints']) { max-height: none !important; overflow: visible !important; }
ul[aria-label$=' endpoints'] * { overflow-wrap: anywhere; white-space: normal; }
.dark-mode { --scalar-color-2: #b3b3b3; --scalar-color-3: #a3a3a3; --scalar-color-red: #ff7a7a; }
`;

/** The styles that Scalar 1.76.0 adds to the page; the browser test fails when they change. */
const STYLE_HASHES = [
  'QpRH++jfSE25E/ku5JwG+oucjRD32SqdyuYxGFVNDSA=',
  'l/2OpPg0d+2VLTLgwjf5mQo2CYwHDEqdj5TjbfEyVJI=',
  'T13Uev3xCax2N28XaoAE8DOzQZKvPp7ZQVAi1iRREjo=',
  '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
  'ZW1GSuo0pKyEx5Ar7ZC5Dflb/mjatjeTW9aVx0iZAzE=',
];

/** Lets a browser run only the page's own scripts and Scalar, in a sandbox. */
function referencePolicy({ font }: ReferenceFiles): string {
  return [
    'sandbox allow-scripts allow-popups',
    "default-src 'none'",
    `script-src 'self' ${[PREPARATION, START].map((text) => source(digest(text))).join(' ')}`,
    `style-src ${[digest(styleWith(font)), ...STYLE_HASHES].map(source).join(' ')}`,
    "font-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function source(hash: string): string {
  return `'sha256-${hash}'`;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
