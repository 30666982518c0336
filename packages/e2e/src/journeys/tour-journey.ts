import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { readPage } from '../documents/documents.ts';
import type { World } from '../testing/index.ts';

/** Runs the commands of README's first login and of docs/tour.md, as they are printed, one after the other. */
export function testTourJourney(given: () => World): void {
  const firstLogin = blocksOf((readPage('README.md').split('## A first login\n')[1] ?? '').split('\n## ')[0]);
  const tour = blocksOf(readPage('docs/tour.md'));

  const run = async (commands: string, code?: string): Promise<string> => {
    const { directory, stack } = given();
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
    const code = await given().mailedCode('ann@example.com');
    const rest = others.join('');
    assert.match(
      await run(rest, code),
      /^\{\}\{"Token":"[^"]+","RefreshToken":"[^"]+","ExpirationSeconds":3600\}$/,
    );
    const promised = factsOf(commentsOf(tour));
    assert.ok(promised.length > 15, promised.join('\n'));
    for (const turn of ['first', 'second']) {
      assert.deepEqual(factsOf(await run(tour)), promised, turn);
    }
    // A repeated registration has an answer, too, though no code.
    await run(register);
    assert.match(await run(rest), /"code":"invalid_code".*"Token":"/);
  });

  it('reads why there is no code, if none was mailed', async () => {
    const functions = tour.slice(0, tour.indexOf('CODE=$(newest_code)')).replaceAll(/^post .*$/gm, '');
    const { stdout, stderr } = await promisify(execFile)(
      'bash',
      [
        '-c',
        `sleep() { :; }\n${functions.replaceAll('http://127.0.0.1:1080', given().stack.facts.mailUrl)}\nnewest_code`,
      ],
      { timeout: 60_000 },
    );
    assert.equal(stdout, '');
    assert.match(stderr, /^There is no new code in the mails to bea-\d+@example\.com: look at http:\S+\n$/);
  });
}

function blocksOf(page = ''): string {
  return [...page.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block]) => block).join('\n');
}

function commentsOf(commands: string): string {
  return (commands.match(/^#.*$/gm) ?? []).join('\n');
}

/** What an answer says that is the same every time: codes, numbered states, empty answers, statuses. */
function factsOf(text: string): string[] {
  return (
    text.match(
      /"(?:code|LoginStatus|PingStatus|Action|IsDisabled)":[\w."]+|\{\}|HTTP\/1\.1 \d+|Pong Auth/g,
    ) ?? []
  );
}
