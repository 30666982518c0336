import assert from 'node:assert/strict';
import { query } from '@gatehouse/db';
import { PASSWORD, startCore, type TestCore } from '../../testing/index.ts';

describe('notices of a sign-in from a new device', () => {
  let core: TestCore;
  before(async () => {
    core = await startCore();
  });
  after(() => core.stop());

  const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
  const logIn = (email: string, device: { userAgent?: string; DeviceName?: string }) =>
    core
      .post(
        '/account/login',
        { Username: email, Password: PASSWORD, ...(device.DeviceName && { DeviceName: device.DeviceName }) },
        { 'user-agent': device.userAgent ?? '' },
      )
      .expect(200);
  const devicesIn = async (email: string) =>
    (await core.app.mailsTo(email)).flatMap(({ type, content }) =>
      type === 'session.new-device' && 'DeviceName' in content ? [content.DeviceName] : [],
    );
  const countOf = async (email: string) =>
    (await core.app.mailsTo(email)).filter(({ type }) => type === 'session.new-device').length;

  it('are mailed, except for the first login and logins from a known device', async () => {
    const email = await core.newAccount();
    await logIn(email, { userAgent: FIREFOX });
    await logIn(email, { userAgent: FIREFOX });
    assert.equal(await countOf(email), 0);
    await logIn(email, { userAgent: FIREFOX, DeviceName: 'Phone' });
    assert.deepEqual(await devicesIn(email), ['Phone']);
    await logIn(email, { userAgent: FIREFOX, DeviceName: 'Phone' });
    await logIn(email, { userAgent: FIREFOX });
    assert.equal(await countOf(email), 1);
    const [mail] = (await core.app.mailsTo(email)).slice(-1);
    assert.ok(mail !== undefined && 'IpAddress' in mail.content && 'At' in mail.content);
  });

  it('are mailed if the earlier sessions were deleted', async () => {
    const email = await core.newAccount();
    await logIn(email, { userAgent: FIREFOX });
    const sql = 'delete from user_session where account_id = (select id from account where email = ?)';
    await query(core.app.db, sql, [email]);
    await logIn(email, { userAgent: FIREFOX });
    assert.deepEqual(await devicesIn(email), ['Firefox, Linux']);
  });

  it('name an unnamed device by known parts of its user agent only', async () => {
    const email = await core.newAccount();
    await logIn(email, { userAgent: 'one' });
    await logIn(email, { userAgent: `${FIREFOX} call evil.example` });
    await logIn(email, { userAgent: 'visit https://evil.example' });
    assert.deepEqual(await devicesIn(email), ['Firefox, Linux']);
    assert.equal(await countOf(email), 2);
  });

  it('are limited to five an hour, and never prevent a login', async () => {
    const email = await core.newAccount();
    for (let index = 0; index < 8; index += 1) await logIn(email, { userAgent: `device ${index}` });
    assert.equal(await countOf(email), 5);
  });

  it('are mailed once for concurrent logins from one device', async () => {
    const email = await core.newAccount();
    await logIn(email, { userAgent: 'one' });
    await Promise.all(Array.from({ length: 5 }, () => logIn(email, { userAgent: 'two' })));
    assert.equal(await countOf(email), 1);
    const sessions = await query(
      core.app.db,
      `select 1 from user_session s join account a on a.id = s.account_id where a.email = ?`,
      [email],
    );
    assert.equal(sessions.length, 6);
  });
});
