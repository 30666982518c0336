import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** The mark of the account pages. */
const LOGO = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><style>path{fill:#1a5fb4}@media(prefers-color-scheme:dark){path{fill:#84b6f4}}</style><path d="M4 22V10a8 8 0 0 1 16 0v12h-3V10a5 5 0 0 0-10 0v12zm5.5-1.5v-10a2.5 2.5 0 0 1 5 0v12z"/></svg>',
)}`;
/** The sources that pages link to. They are copied beside the pages. */
const linked = new Set();

/** What stands above README on the front page. */
const FRONT = {
  layout: 'home',
  hero: {
    text: 'Sign-in and accounts that you run yourself',
    tagline: 'Sessions that end everywhere within a second, also while servers fail.',
    image: { src: LOGO, alt: '' },
    actions: [
      { theme: 'brand', text: 'Add login in ten minutes', link: '/docs/add-login' },
      { theme: 'alt', text: 'A tour with curl', link: '/docs/tour' },
      { theme: 'alt', text: 'Run it', link: '/docs/containers' },
    ],
  },
};

/** The pages are those of the repository, unchanged. A link that leads nowhere fails the build. */
export default {
  title: 'Gatehouse',
  description: 'Authentication and account management that you run yourself',
  srcDir: ROOT,
  srcExclude: ['.local/**', '.github/**', '**/dist/**', 'docs/site/**', 'packages/lab/**'],
  rewrites: (path) => path.replace(/README\.md$/, 'index.md'),
  outDir: join(ROOT, 'dist/site'),
  markdown: {
    anchor: { slugify: anchorOf },
    languageAlias: { caddyfile: 'nginx', haproxy: 'nginx', 'nginx-proxy-protocol': 'nginx' },
    config: (md) => {
      followLinks(md);
      markDrawings(md);
    },
  },
  head: [['link', { rel: 'icon', href: LOGO }]],
  // The pages are outside of the folder where packages are installed.
  vite: {
    // The index for the search is loaded with the first search.
    build: { chunkSizeWarningLimit: 2000 },
    resolve: {
      alias: [
        { find: /^vue$/, replacement: installed('vue/dist/vue.runtime.esm-bundler.js') },
        {
          find: /^vue\/server-renderer$/,
          replacement: installed('@vue/server-renderer/dist/server-renderer.esm-bundler.js'),
        },
      ],
    },
  },
  themeConfig: {
    logo: LOGO,
    // Coloring the code again for the index would take as long as for the pages.
    search: { provider: 'local', options: { _render: plainly } },
    outline: [2, 3],
    siteTitle: 'Gatehouse',
    nav: [
      { text: 'Add login', link: '/docs/add-login' },
      { text: 'Documentation', link: '/docs/' },
      { text: 'Changelog', link: '/CHANGELOG' },
    ],
    sidebar: sidebar(),
  },
  transformPageData: (page) => (page.relativePath === 'index.md' ? { frontmatter: FRONT } : undefined),
  buildEnd({ outDir }) {
    for (const path of linked) {
      const copy = join(outDir, published(path));
      mkdirSync(dirname(copy), { recursive: true });
      copyFileSync(join(ROOT, path), copy);
    }
    copyMermaid(join(outDir, 'mermaid'));
  },
};

function plainly(text, env, md) {
  md.options.highlight = null;
  return md.render(text, env);
}

/** The library of drawings, which the theme loads where there are any, as it was published: bundling it takes a minute. */
function copyMermaid(to) {
  const from = installed('mermaid/dist');
  for (const part of ['mermaid.esm.min.mjs', 'chunks/mermaid.esm.min']) {
    cpSync(join(from, part), join(to, part), { recursive: true, filter: (path) => !path.endsWith('.map') });
  }
}

function installed(path) {
  return join(ROOT, 'docs/site/node_modules', path);
}

/** The anchor of a heading, as GitHub creates it. */
function anchorOf(heading) {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

/** Leads links to a README to the page that it becomes, and links to a source to its copy. */
function followLinks(md) {
  md.core.ruler.push('links-of-the-repository', ({ tokens, env }) => {
    const folder = dirname(env.path);
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.type === 'link_open' ? (token.attrGet('href') ?? '') : '';
      const [path = '', anchor] = href.split('#');
      if (path !== '' && !/^[a-z]+:/.test(path)) token.attrSet('href', target(folder, path, anchor));
    }
  });
}

/** Leaves a drawing as its source, which the theme draws. */
function markDrawings(md) {
  const { fence } = md.renderer.rules;
  md.renderer.rules.fence = (tokens, at, ...rest) => {
    const { info, content } = tokens[at];
    if (info.trim() !== 'mermaid') return fence(tokens, at, ...rest);
    return `<pre class="mermaid" v-pre>${md.utils.escapeHtml(content)}</pre>`;
  };
}

function target(folder, path, anchor) {
  const file = join(folder, path);
  const isFile = existsSync(file) && statSync(file).isFile();
  if (isFile && !path.endsWith('.md')) {
    linked.add(relative(ROOT, file));
    return published(path);
  }
  const page = isFile ? path.replace(/README\.md$/, 'index.md') : posix.join(path, 'index.md');
  return anchor === undefined ? page : `${page}#${anchor}`;
}

/** Browsers show sources of any kind under this ending; under some others, the generator takes a file for a page. */
function published(path) {
  return path.endsWith('.png') ? path : `${path}.txt`;
}

/** The sections of docs/README.md, each with its links. Before them, where its table says to begin. */
function sidebar() {
  const [start, ...sections] = readFileSync(join(ROOT, 'docs/README.md'), 'utf8').split('\n## ');
  const begin = start.split('\n').flatMap((row) => linksIn(row).slice(0, 1));
  return [
    { text: 'Begin here', items: begin },
    ...sections.map((section) => ({
      text: section.slice(0, section.indexOf('\n')),
      collapsed: false,
      items: linksIn(section),
    })),
  ];
}

function linksIn(text) {
  return [...text.matchAll(/\[([^[\]]+)\]\(([^()]+\.md)\)/g)].map(([, name = '', path = '']) => ({
    text: name.startsWith('`') ? name.slice(1, -1) : name.charAt(0).toUpperCase() + name.slice(1),
    link: `/${posix
      .join('docs', path)
      .replace(/README\.md$/, '')
      .replace(/\.md$/, '')}`,
  }));
}
