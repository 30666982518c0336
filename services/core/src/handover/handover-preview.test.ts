import assert from 'node:assert/strict';
import { someAddress, type AccountRef } from '@gatehouse/accounts/testing';
import { startCoreWithSessions, type CoreWithSessions } from '../testing/index.ts';

const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };

describe('a hand-over that a page asks about first', () => {
  let core: CoreWithSessions;
  let ann: AccountRef & { Token: string };
  before(async () => {
    core = await startCoreWithSessions();
  });
  after(() => core.stop());
  beforeEach(async () => {
    const person = await core.newAccount();
    ann = { ...person, ...(await core.login(person)) };
  });

  const newCode = async (): Promise<string> => {
    const { body } = await core.post('/account/handover', ann).expect(200);
    return String(body.Url).split('#HandoverCode=')[1] ?? '';
  };
  const exchange = (body: object, headers: Record<string, string> = {}) =>
    core.http
      .post('/account/handover/exchange')
      .set({ 'x-forwarded-for': someAddress(), ...SAME_ORIGIN, ...headers })
      .send(body);
  const preview = (HandoverCode: string, headers?: Record<string, string>) =>
    exchange({ HandoverCode, DryRun: true }, headers);

  it('names the account, without a cookie and without using up the code', async () => {
    const code = await newCode();
    for (let time = 0; time < 2; time += 1) {
      const { body, headers } = await preview(code).expect(200);
      assert.deepEqual([body, headers['set-cookie']], [{ Email: ann.email }, undefined]);
      assert.equal(headers['cache-control'], 'no-store');
    }
    await exchange({ HandoverCode: code }).expect(204);
    assert.equal((await preview(code).expect(400)).body.code, 'invalid_code');
  });

  it('names nobody for a wrong code or an ended session, or to other sites', async () => {
    const code = await newCode();
    await preview(code, { 'sec-fetch-site': 'cross-site' }).expect(403);
    assert.equal((await preview('A'.repeat(43)).expect(400)).body.code, 'invalid_code');
    await core.post('/account/logout', ann).expect(200);
    assert.equal((await preview(code).expect(400)).body.code, 'invalid_code');
  });

  it('is refused at once in a browser with a session of another account', async () => {
    const { headers } = await exchange({ HandoverCode: await newCode() }).expect(204);
    const cookie = String(headers['set-cookie']).split(';')[0] ?? '';
    const other = await core.newAccount();
    ann = { ...other, ...(await core.login(other)) };
    assert.equal((await preview(await newCode(), { cookie }).expect(409)).body.code, 'conflict');
  });

  it('counts guesses as the exchange does, and right codes not', async () => {
    const address = { 'x-forwarded-for': someAddress() };
    const code = await newCode();
    for (let at = 0; at < 120; at += 20)
      await Promise.all(Array.from({ length: 20 }, () => preview(code, address).expect(200)));
    const guess = () => preview('A'.repeat(43), address);
    for (let at = 0; at < 100; at += 20) await Promise.all(Array.from({ length: 20 }, guess));
    await guess().expect(429);
  });
});
