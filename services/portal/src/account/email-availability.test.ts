import assert from 'node:assert/strict';
import { someEmail } from '@gatehouse/accounts/testing';
import { cast } from '../testing/cast.ts';

describe('GET /account/email-availability', () => {
  const { get, login, member, newToken, sql } = cast();

  const ask = (email: string, who?: string | { Token: string }) =>
    get(`/account/email-availability?email=${encodeURIComponent(email)}`, who);

  it('distinguishes a free address from a taken one, in any spelling', async () => {
    const ann = await member();
    const who = await login(ann);
    const free = someEmail();
    await ask(free, who).expect(200, { Email: free, IsAvailable: true });
    const shouted = ann.email.replace('person', 'PERSON').replace('example.com', 'EXAMPLE.com');
    const { body } = await ask(` ${shouted}`, who).expect(200);
    assert.deepEqual(body, { Email: ann.email.replace('person', 'PERSON'), IsAvailable: false });
  });

  it('counts an account that waits for its owner as taken', async () => {
    const pending = await member();
    await sql('update account set email_verified_at = null where id = ?', [pending.id]);
    const { body } = await ask(pending.email, await newToken()).expect(200);
    assert.equal(body.IsAvailable, false);
  });
});
