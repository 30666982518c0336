/** What `npm run bench` measures, by its first word; ping where there is none. Each reads the options behind it. */
const BENCHES: Record<string, () => Promise<unknown>> = {
  ping: () => import('./ping.ts'),
  'admin-list': () => import('./admin-list.ts'),
};

const [name = ''] = process.argv.slice(2);
const isNamed = name !== '' && !name.startsWith('-');
if (isNamed) process.argv.splice(2, 1);
const start = BENCHES[isNamed ? name : 'ping'];
if (start === undefined) {
  process.stderr.write(`There is no bench "${name}"; there are ${Object.keys(BENCHES).join(' and ')}.\n`);
  process.exitCode = 1;
} else await start();
