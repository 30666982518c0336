import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signatureHeaders } from './deliver-hook.ts';

const PAGE = readFileSync(new URL('../../../docs/webhooks.md', import.meta.url), 'utf8');
const SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
const FORMER = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const BODY = '{"type":"guest.registered","data":{"Name":"Jörg"}}';

/** The code below this mark of the page. */
function sample(name: string): string {
  const [, code] = new RegExp(`<!-- sample: ${name} -->\\s+\`\`\`\\w+\\n([^]*?)\`\`\``).exec(PAGE) ?? [];
  return code ?? assert.fail(name);
}

describe('the samples of docs/webhooks.md that verify a signature', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'samples-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  /** What a sample says of deliveries, judged by one program, as starting one takes long. */
  const verdicts: Record<string, (deliveries: Delivery[]) => string> = {
    node: (deliveries) => {
      const call = `for (const [headers, body] of ${JSON.stringify(deliveries)}) console.log(isGenuine(${JSON.stringify(SECRET)}, headers, body));`;
      writeFileSync(join(folder, 'verify.mjs'), `${sample('node')}\n${call}`);
      return output('node', 'verify.mjs');
    },
    python: (deliveries) => {
      const call = `for headers, body in ${JSON.stringify(deliveries)}:\n    print(is_genuine(${JSON.stringify(SECRET)}, headers, body.encode()))`;
      writeFileSync(join(folder, 'verify.py'), `${sample('python')}\n${call}`);
      return output('python3', 'verify.py').toLowerCase();
    },
  };
  const output = (program: string, file: string): string => {
    const { status, stdout, stderr } = spawnSync(program, [file], { cwd: folder, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    return stdout.trim();
  };
  const signed = (at = new Date(), secrets = [SECRET]) =>
    signatureHeaders({ id: 'id-1', body: BODY, at }, secrets);

  for (const [name, judge] of Object.entries(verdicts)) {
    it(`accept a genuine delivery and one during a rotation, and refuse others: ${name}`, () => {
      const genuine: Delivery[] = [
        [signed(), BODY],
        [signed(new Date(), [FORMER, SECRET]), BODY],
      ];
      const others: Delivery[] = [
        [signed(), BODY.replace('guest', 'admin')],
        [signed(new Date(), [FORMER]), BODY],
        [signed(new Date(Date.now() - 3_600_000)), BODY],
        [{ ...signed(), 'webhook-id': 'id-2' }, BODY],
      ];
      const said = judge([...genuine, ...others]).split('\n');
      assert.deepEqual(said, ['true', 'true', 'false', 'false', 'false', 'false']);
    });
  }
});

type Delivery = [headers: object, body: string];
