import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { signatureHeaders } from './deliver-hook.ts';

const PAGE = readFileSync(new URL('../../../docs/webhooks.md', import.meta.url), 'utf8');
const SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
const FORMER = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const BODY = '{"type":"guest.registered","data":{"Name":"Jörg"}}';

describe('the sample of docs/webhooks.md that verifies a signature', () => {
  /** What the sample says of each delivery. */
  const verdicts = (deliveries: Delivery[]): string[] => {
    const [, sample = assert.fail()] = /^```js\n([^]*?)^```/m.exec(PAGE) ?? [];
    const call = `for (const [headers, body] of ${JSON.stringify(deliveries)}) console.log(isGenuine(${JSON.stringify(SECRET)}, headers, body));`;
    const { status, stdout, stderr } = spawnSync('node', ['--input-type=module'], {
      input: `${sample}\n${call}`,
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
    return stdout.trim().split('\n');
  };
  const signed = (at = new Date(), secrets = [SECRET]) =>
    signatureHeaders({ id: 'id-1', body: BODY, at }, secrets);

  it('accepts a genuine delivery and one during a rotation, and refuses others', () => {
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
    const said = verdicts([...genuine, ...others]);
    assert.deepEqual(said, ['true', 'true', 'false', 'false', 'false', 'false']);
  });
});

type Delivery = [headers: object, body: string];
