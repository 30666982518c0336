import assert from 'node:assert/strict';
import { exchangeRaw } from '@gatehouse/http/testing';
import { startSso, type TestSso } from '../../../../services/admin/src/sso/testing/browser.ts';
import { startServices, type Services } from '../../src/roles/services.ts';
import { READ } from './raw-heads.ts';

/** The CPU time of the server and of the test for one request. Other processes are not counted. */
const CPU_MS = 50;
const LENGTH = 8000;

/** Text on which regular expressions and parsers may backtrack. */
const FILLERS = [
  ...Array.from(' \t,;="\\/:-.*%0a[({<&|+~@_'),
  '\x80',
  '\xff',
  'a,',
  'a=',
  '; a',
  '""',
  '\\"',
  '%00',
];

/** Paths where each header is read: for tokens, browsers, proxies and content types. */
const PATHS = {
  Core: ['/ping?includeHeaders=true', '/ping/auth'],
  Portal: ['/account/profile'],
  Admin: ['/admin/account'],
};

describe('a header of eight thousand times the same', function () {
  this.timeout(60_000);
  let services: Services;
  let sso: TestSso;
  before(async () => {
    services = await startServices();
    sso = await startSso({ demo: {} });
  });
  after(async () => {
    await services.stop();
    await sso.stop();
  });

  const costs = async (port: number, head: string): Promise<{ ms: number; status: number }> => {
    const before = process.cpuUsage();
    const answer = await exchangeRaw(port, `${head}\r\nConnection: close\r\n\r\n`);
    const { user, system } = process.cpuUsage(before);
    return { ms: (user + system) / 1000, status: Number(answer.slice(9, 12)) };
  };
  /** Uses the lowest cost of several tries, because garbage collection adds to some of them. */
  const staysCheap = async (port: number, head: string, about: string): Promise<void> => {
    let least = Infinity;
    for (let turn = 0; turn < 4 && least > CPU_MS; turn += 1) {
      const { ms, status } = await costs(port, head);
      assert.ok(status >= 100 && status < 500, `${about}: ${status}`);
      least = Math.min(least, ms);
    }
    assert.ok(least <= CPU_MS, `${about}: ${least} ms`);
  };
  const linesOf = (name: string): string[] => {
    const host = name === 'Host' ? '' : 'Host: x\r\n';
    const kinds = FILLERS.flatMap((sign) => {
      const filler = sign.repeat(LENGTH / sign.length);
      return [`a${filler}b`, `${READ[name] ?? ''}${filler}!`];
    });
    return kinds.map((value) => `${host}${name}: ${value}`);
  };

  for (const [api, paths] of Object.entries(PATHS)) {
    it(`costs ${api} no more than any other header`, async () => {
      const port = Number(new URL(services.url(api as keyof typeof PATHS)).port); // a key of PATHS
      for (const name of Object.keys(READ)) {
        for (const [at, lines] of linesOf(name).entries()) {
          const path = paths[at % paths.length];
          await staysCheap(
            port,
            `GET ${path} HTTP/1.1\r\n${lines}`,
            `${name} ${JSON.stringify(lines.slice(9, 60))}`,
          );
        }
      }
    });
  }

  it('costs the body parser and single sign-on no more time either', async () => {
    const core = Number(new URL(services.url('Core')).port);
    for (const name of ['Content-Type', 'Content-Encoding', 'Expect', 'Accept-Language', 'Origin']) {
      for (const lines of linesOf(name)) {
        const head = `POST /account/login HTTP/1.1\r\nContent-Length: 0\r\n${lines}`;
        await staysCheap(core, head, `${name} ${JSON.stringify(lines.slice(9, 60))}`);
      }
    }
    const admin = Number(new URL(sso.admin.url).port);
    for (const lines of [...linesOf('Cookie'), ...linesOf('User-Agent'), ...linesOf('Forwarded')]) {
      for (const path of ['/auth/demo/login', '/auth/demo/callback?code=a&state=b']) {
        await staysCheap(
          admin,
          `GET ${path} HTTP/1.1\r\n${lines}`,
          `${path} ${JSON.stringify(lines.slice(9, 60))}`,
        );
      }
    }
  });
});
