import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { during } from '@gatehouse/runtime/testing';
import { testAccountJourney, testGuestJourney } from './journeys.ts';
import { startWorld, type World } from '../testing/index.ts';
import { openBrowser } from '../testing/browser.ts';
import { blocksIn, readPage } from '../documents/documents.ts';

describe('the whole system', function () {
  this.timeout(180_000);
  const world = during(() => startWorld());

  describe('and an account over the gateway', () => testAccountJourney(() => world));
  describe('and a guest over the gateway', () => testGuestJourney(() => world));
  describe('and single sign-on at the demo provider, in a browser', () => testSsoJourney(world));
  describe('and a newcomer with README and tour', () => testTourJourney(world));
  describe('and faces', () => testFacesJourney(world));
});

function testSsoJourney(world: World): void {
  const signOn = async (email: string): Promise<URLSearchParams> => {
    const { adminUrl, sso, ssoProvider } = world.stack.facts;
    const home = sso.returnUrls[0] ?? '';
    const browser = openBrowser(home);
    const form = await browser.go(`${adminUrl}/auth/${ssoProvider}/login`);
    const page = await browser.submit(form, { login: email });
    assert.ok(page.url.startsWith(home), `${page.url} ${page.status} ${page.text}`);
    return new URL(page.url).searchParams;
  };

  it('does not sign on to seeded accounts, in any spelling', async () => {
    const { admin: administrator, seed } = world.stack.facts;
    for (const email of [
      administrator.Email,
      administrator.Email.toUpperCase(),
      administrator.Email.replace('@g', '@\uFF47'),
      administrator.Email.replace('.example', '\u3002example'),
      seed.user.Email,
    ])
      assert.equal((await signOn(email)).get('error'), 'email_not_verified', email);
  });
}

/** Runs the commands of README's first login and of docs/tour.md, as they are printed, one after the other. */
function testTourJourney(world: World): void {
  const [, section = ''] = /^## A first login$([^]*?)^## /m.exec(readPage('README.md')) ?? [];
  const firstLogin = blocksIn(section, 'sh').join('\n');
  const tour = blocksIn(readPage('docs/tour.md'), 'sh').join('\n');

  const run = async (commands: string, code?: string): Promise<string> => {
    const { directory, stack } = world;
    const { baseUrl, adminUrl, mailUrl } = stack.facts;
    const here = commands
      .replaceAll('http://127.0.0.1:8080', baseUrl)
      .replaceAll('http://127.0.0.1:8090', adminUrl)
      .replaceAll('http://127.0.0.1:1080', mailUrl)
      .replaceAll('.local/', `${directory}/`)
      .replaceAll('VEMP-X8NT', code ?? 'VEMP-X8NT');
    const { stdout, stderr } = await promisify(execFile)('bash', ['-c', here], { timeout: 60_000 });
    assert.equal(stderr, '');
    return stdout;
  };

  it('has their first login, and the tour as often as they like, with the answers that the pages print', async () => {
    const [register = '', ...others] = firstLogin.split(/^(?=curl )/m);
    assert.deepEqual(factsOf(await run(register)), factsOf(commentsOf(register)));
    const code = await world.mailedCode('ann@example.com');
    const rest = others.join('');
    const answers = await run(rest, code);
    assert.match(answers, /^\{\}\{"Token":"[^"]+","RefreshToken":"[^"]+","ExpirationSeconds":3600\}$/);
    const promised = factsOf(commentsOf(tour));
    assert.ok(promised.length > 15, promised.join('\n'));
    for (const turn of ['first', 'second']) assert.deepEqual(factsOf(await run(tour)), promised, turn);
    // A repeated registration has an answer, too, though no code.
    await run(register);
    assert.match(await run(rest), /"code":"invalid_code".*"Token":"/);
  });
}

function commentsOf(commands: string): string {
  return (commands.match(/^#.*$/gm) ?? []).join('\n');
}

/** What an answer says that is the same every time: codes, numbered states, empty answers, statuses. */
function factsOf(text: string): string[] {
  const facts = /"(?:code|LoginStatus|PingStatus|Action|IsDisabled)":[\w."]+|\{\}|HTTP\/1\.1 \d+|Pong Auth/g;
  return text.match(facts) ?? [];
}

const PROGRAM = fileURLToPath(new URL('../../../../examples/faces/report.mjs', import.meta.url));
function testFacesJourney(world: World): void {
  it('are reported by the demo, and classified by the rules', async () => {
    const { baseUrl, amqpUrl, seed } = world.stack.facts;
    const { Email: EMAIL, Password: PASSWORD } = seed.user;
    const report = (count: number, settings = {}) =>
      promisify(execFile)(process.execPath, [PROGRAM, '--count', String(count)], {
        env: { GATEHOUSE: baseUrl, AMQP_URL: amqpUrl, EMAIL, PASSWORD, ...settings },
      });
    for (const count of [60, 20]) {
      const { stdout } = await report(count);
      assert.match(stdout, new RegExp(`reported ${count} of ${count}`));
      assert.match(stdout, /Demo Ada( +\d+){5}/);
    }
    await assert.rejects(report(0), /--count must be 1 to 100000/);
    await assert.rejects(report(1, { PASSWORD: 'wrong' }), /cannot log in \(404\)/);
    const unreachable = report(1, { GATEHOUSE: 'http://127.0.0.1:2' });
    await assert.rejects(unreachable, /http:\/\/127\.0\.0\.1:2 does not answer/);
  });
}
