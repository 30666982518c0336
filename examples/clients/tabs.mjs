/**
 * Twenty tabs of one browser share a session while they are hidden, frozen and offline and services are killed. Then an
 * administrator ends the session. README.md explains the output.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { disturb, settle } from './disturb.mjs';
import { startSystem } from './system.mjs';

const LIFETIME_SECONDS = 5;
const RESTART_EVERY_MS = 30_000;

const { values } = parseArgs({
  options: {
    tabs: { type: 'string', default: '20' },
    minutes: { type: 'string', default: '10' },
    client: { type: 'string', default: 'gatehouse' },
    chromium: { type: 'string', default: '/usr/bin/chromium' },
  },
});
const [count, minutes] = [Number(values.tabs), Number(values.minutes)];
const root = fileURLToPath(new URL('../../', import.meta.url));
const NAIVE = `${root}examples/clients/naive-client.mjs`;
/** For each client: the module that creates it, and its additional settings. */
const CLIENTS = {
  gatehouse: ['gatehouse-client', {}],
  naive: [NAIVE, { lifetimeSeconds: LIFETIME_SECONDS }],
  lenient: [NAIVE, { lifetimeSeconds: LIFETIME_SECONDS, isLenient: true }],
};
const [from, settings] = CLIENTS[values.client] ?? [];
if (from === undefined) throw new Error(`--client is one of ${Object.keys(CLIENTS).join(', ')}`);
const { chromium } = createRequire(`${root}packages/e2e/package.json`)('playwright-core');
const { build } = createRequire(`${root}packages/build/package.json`)('esbuild');

/** The script of an app's page, which calls the API at random intervals. */
const pageOf = (baseUrl) => `
  import { createClient } from '${from}';
  const auth = createClient(${JSON.stringify({ baseUrl, ...settings })});
  const [told, rejected] = [[], []];
  addEventListener('unhandledrejection', ({ reason }) => rejected.push(String(reason)));
  for (const name of ['signed-in', 'ended']) auth.on(name, ({ reason }) => told.push({ name, reason, at: Date.now() }));
  auth.on('ended', () => globalThis.onLogout());
  Object.assign(globalThis, { auth, told, rejected });
  setInterval(() => globalThis.isIdle || auth.fetch('${baseUrl}/ping/auth').catch(() => {}), 400 + Math.random() * 400);
`;

let script = '';
const app = createServer(({ url }, response) => {
  const [type, text] =
    url === '/app.js'
      ? ['text/javascript', script]
      : ['text/html', '<!doctype html><title>App</title><script type="module" src="/app.js"></script>'];
  response.writeHead(200, { 'content-type': type }).end(text);
}).listen(0, '127.0.0.1');
await once(app, 'listening');
const origin = `http://127.0.0.1:${app.address().port}`;

const system = await startSystem({
  root,
  settings: { ACCESS_TOKEN_SECONDS: String(LIFETIME_SECONDS), CORS_ORIGINS: origin },
});
let browser;
try {
  const bundled = await build({
    stdin: { contents: pageOf(system.facts().baseUrl), resolveDir: `${root}packages/e2e` },
    ...{ bundle: true, format: 'esm', write: false },
  });
  script = bundled.outputFiles[0].text;
  browser = await chromium.launch({
    executablePath: values.chromium,
    chromiumSandbox: process.getuid() !== 0,
  });
  process.exitCode = await run(await browser.newContext());
} finally {
  await browser?.close();
  await system.stop();
  app.close();
}

async function run(context) {
  const pages = await openTabs(context);
  const answers = { 200: 0 };
  context.on('response', (response) => {
    const isRefresh =
      response.request().method() === 'POST' && response.url().endsWith('/account/refresh-token');
    if (isRefresh) answers[response.status()] = (answers[response.status()] ?? 0) + 1;
  });
  const { user, admin } = system.people();
  const login = { Username: user.Email, Password: user.Password, DeviceName: randomUUID() };
  const person = await somebody(context, login);
  await everyone(pages, () => globalThis.auth.getState().kind === 'signed-in');

  const begunAt = Date.now();
  const endsAt = begunAt + minutes * 60_000;
  await Promise.all([
    ...pages.map((one) => disturb(one, endsAt)),
    system.restart(['core', 'portal'], RESTART_EVERY_MS, endsAt),
  ]);
  const lifetimes = (Date.now() - begunAt) / 1000 / LIFETIME_SECONDS;
  const refreshes = answers[200];
  await Promise.all(pages.map(settle));
  await everyone(pages, () => globalThis.auth.token().then(Boolean, () => false));
  const logouts = (await tell(pages)).filter(({ told }) => told.some(({ name }) => name === 'ended')).length;
  person.leave();

  const { ends, kickedAt } = await kick(pages, () => system.kick(admin, user.Email));
  const delays = ends.map(({ told }) => told.at(-1).at - kickedAt);
  const rejections = ends.flatMap(({ rejected }) => rejected);
  const report = {
    client: values.client,
    tabs: count,
    minutes,
    'logins, after the first': person.logins() - 1,
    'tabs that were logged out': logouts,
    rejections,
    'answers to refreshes, by status': answers,
    'refreshes per lifetime': Number((refreshes / lifetimes).toFixed(2)),
    'from the kick to the first and the last tab, ms': [Math.min(...delays), Math.max(...delays)],
    reasons: [...new Set(ends.map(({ told }) => told.at(-1).reason))],
  };
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  return logouts + rejections.length > 0 ? 1 : 0;
}

async function openTabs(context) {
  const pages = [];
  while (pages.length < count) {
    const page = await context.newPage();
    await page.goto(origin);
    pages.push({ page, cdp: await context.newCDPSession(page) });
  }
  return pages;
}

/** A user who logs in, and again whenever a tab reports a logout, in an undisturbed tab. */
async function somebody(context, login) {
  let [logins, isAway, isTyping] = [0, false, false];
  const logIn = async () => {
    if (isAway || isTyping) return;
    isTyping = true;
    const page = await context.newPage();
    await page.goto(origin);
    const isIn = () => page.evaluate(() => globalThis.auth.getState().kind === 'signed-in');
    await page.evaluate(() => globalThis.auth.ready);
    while (!(await isIn())) {
      logins += 1;
      await page.evaluate((given) => globalThis.auth.login(given).catch(() => {}), login);
      await sleep(200);
    }
    await page.close();
    isTyping = false;
  };
  await context.exposeFunction('onLogout', logIn);
  await logIn();
  return { logins: () => logins, leave: () => (isAway = true) };
}

/** Ends the session as an administrator while no tab makes calls. Returns the events that the tabs received. */
async function kick(pages, end) {
  await Promise.all(
    pages.map(({ page }) =>
      page.evaluate(() => {
        globalThis.isIdle = true;
        globalThis.told.length = 0;
      }),
    ),
  );
  await sleep(1000);
  const kickedAt = await end();
  await everyone(pages, () => globalThis.told.some(({ name }) => name === 'ended'));
  return { ends: await tell(pages), kickedAt };
}

function tell(pages) {
  return Promise.all(
    pages.map(({ page }) => page.evaluate(() => ({ told: globalThis.told, rejected: globalThis.rejected }))),
  );
}

/** Waits until the condition is true in every tab. */
async function everyone(pages, isSo) {
  for (const { page } of pages) {
    const giveUpAt = Date.now() + 60_000;
    while (!(await page.evaluate(isSo))) {
      if (Date.now() > giveUpAt) throw new Error(`a tab waited a minute for ${isSo}`);
      await sleep(100);
    }
  }
}
