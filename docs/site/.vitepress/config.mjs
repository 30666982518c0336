import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** The sources that pages link to. They are copied beside the pages. */
const linked = new Set();

/** The pages are those of the repository, unchanged. A link that leads nowhere fails the build. */
export default {
  title: 'Gatehouse',
  description: 'Authentication and account management that you run yourself',
  srcDir: ROOT,
  srcExclude: ['.local/**', '.github/**', '**/dist/**', 'docs/site/**', 'packages/e2e/bench/**'],
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
  // The pages are outside of the folder where packages are installed.
  vite: {
    // The library of drawings is loaded only where there are any.
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
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Documentation', link: '/docs/' },
      { text: 'Changelog', link: '/CHANGELOG' },
    ],
    sidebar: sidebar(),
  },
  buildEnd({ outDir }) {
    for (const path of linked) {
      const copy = join(outDir, published(path));
      mkdirSync(dirname(copy), { recursive: true });
      copyFileSync(join(ROOT, path), copy);
    }
  },
};

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

/** A file without an ending would be taken for a page. */
function published(path) {
  return /\.\w+$/.test(path) ? path : `${path}.txt`;
}

/** The sections of docs/README.md, each with its links. */
function sidebar() {
  const [, ...sections] = readFileSync(join(ROOT, 'docs/README.md'), 'utf8').split('\n## ');
  return sections.map((section) => ({
    text: section.slice(0, section.indexOf('\n')),
    collapsed: false,
    items: [...section.matchAll(/\[([^[\]]+)\]\(([^()]+\.md)\)/g)].map(([, name = '', path = '']) => ({
      text: name.startsWith('`') ? name.slice(1, -1) : name.charAt(0).toUpperCase() + name.slice(1),
      link: `/${posix
        .join('docs', path)
        .replace(/README\.md$/, '')
        .replace(/\.md$/, '')}`,
    })),
  }));
}
