import assert from 'node:assert/strict';
import { mailKinds } from '@gatehouse/events';
import { readTables, someEmail } from '@gatehouse/accounts/testing';
import { startAdmin, type TestAdmin } from '../testing/index.ts';

describe('mail previews and test mails', () => {
  let admin: TestAdmin;
  let me: { id: string; email: string };
  let token: string;
  before(async () => {
    admin = await startAdmin();
    me = await admin.newAccount({ role: 'Admin' });
    token = (await admin.login(me)).Token;
  });
  after(() => admin.stop());

  const preview = (kind: string, search = '') => admin.get(`/admin/mail-template/${kind}${search}`, token);

  it('are available for every kind, with sample data, without effect', async () => {
    const before = await readTables(admin.app);
    for (const kind of mailKinds) {
      const { Subject, Text, Html } = (await preview(kind).expect(200)).body;
      assert.ok(Subject.length > 5 && Text.includes('\n') && Html.startsWith('<!doctype html>'), kind);
      assert.ok(!`${Text}${Html}`.includes(me.email) && !`${Text}${Html}`.includes(token));
    }
    assert.deepEqual(await readTables(admin.app), before);
  });

  it('are shown as they look, in a page that can run and load nothing', async () => {
    for (const kind of mailKinds) {
      const { headers, text } = await preview(`${kind}/page`, '?locale=de').expect(200);
      assert.equal(headers['content-type'], 'text/html; charset=utf-8');
      assert.equal(
        headers['content-security-policy'],
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox; frame-ancestors 'self'",
      );
      assert.ok(text.startsWith('<!doctype html>') && !text.includes('cid:'), kind);
      assert.match(text, /src="data:image\/png;base64,/);
    }
    await preview('no-such-kind/page').expect(400);
    await admin.get('/admin/mail-template/test/page').expect(401);
  });

  it('are available in other languages, with English as fallback', async () => {
    const subject = async (search: string) => (await preview('test', search).expect(200)).body.Subject;
    assert.equal(await subject('?locale=de-AT'), 'Test der E-Mail-Zustellung');
    assert.equal(await subject('?locale=tlh'), await subject(''));
    await preview('test', '?locale=x/y').expect(400);
    await preview('no-such-kind').expect(400);
  });

  it('are sent to one address, a few per hour', async () => {
    const email = someEmail();
    const send = () => admin.post('/admin/mail/test', token, { Email: email });
    const { Id } = (await send().expect(202)).body;
    const [mail] = await admin.app.mailsTo(email);
    assert.equal(mail?.type, 'mail.test-requested');
    assert.equal(mail?.content.Locale, 'en');
    const { Items } = (await admin.get(`/admin/audit?targetId=${Id}`, token).expect(200)).body;
    assert.deepEqual([Items[0].Action, Items[0].ActorId, Items[0].Details], ['mail.test-sent', me.id, {}]);
    for (let time = 2; time <= 5; time += 1) await send().expect(202);
    const refused = await send().expect(429);
    assert.ok(Number(refused.headers['retry-after']) > 0);
    assert.equal((await admin.app.mailsTo(email)).length, 5);
    await admin
      .post('/admin/mail/test', await admin.newToken({ role: 'Admin' }), { Email: someEmail() })
      .expect(202);
    for (const body of [{}, { Email: 'x' }, { Email: 'a@example.com, b@example.com' }])
      await admin.post('/admin/mail/test', token, body).expect(400);
  });
});
