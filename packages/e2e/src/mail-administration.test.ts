import assert from 'node:assert/strict';
import { PASSWORD, someEmail, unexpected } from '@gatehouse/accounts/testing';
import { acceptInvitation, inviteUsers } from '@gatehouse/accounts';
import { contentDefinitions, inTransaction, outbox } from '@gatehouse/db';
import { createUnseal, newEvent } from '@gatehouse/events';
import { testMailWriter } from '@gatehouse/mails/testing';
import { createMetrics, NO_DEADLINE } from '@gatehouse/runtime';
import { eventually, testLog } from '@gatehouse/runtime/testing';
import { v7 as newId } from 'uuid';
import { startAdmin, type TestAdmin } from '../../../services/admin/src/testing/index.ts';
import { startSink, type Sink } from '../../../services/mail-worker/src/testing/index.ts';
import { createMailer } from '../../../services/mail-worker/src/smtp/transport.ts';
import { startWorker, type Worker } from '../../../services/mail-worker/src/worker.ts';

describe('mail administration with the mail worker', () => {
  let admin: TestAdmin;
  let sink: Sink;
  let worker: Worker;
  let mailer: ReturnType<typeof createMailer>;
  let token: string;
  let content: string;
  before(async () => {
    admin = await startAdmin();
    sink = await startSink();
    const { db, settings, topology } = admin.app;
    mailer = createMailer({ smtpUrl: sink.url, from: { name: '', address: 'no-reply@example.com' } });
    worker = startWorker({
      db,
      mailer,
      amqpUrl: settings.AMQP_URL,
      unseal: createUnseal(settings.MAIL_KEY),
      writeMail: testMailWriter(),
      keepDays: 30,
      activity: admin.app.activity,
      log: testLog(),
      metrics: createMetrics('mail-worker'),
      ...(topology && { topology }),
    });
    await eventually(() => worker.checkReady().then(() => true));
    token = (await admin.login(await admin.newAccount({ role: 'Admin' }))).Token;
    content = await admin.newContent();
  });
  after(async () => {
    await worker.close();
    mailer.close();
    await sink.close();
    await admin.stop();
  });

  const invite = async () => {
    const email = someEmail();
    const found = await contentDefinitions.findById(admin.app.db, content);
    assert.ok(found);
    const sharing = { content: found, sharer: { id: content, account: undefined } };
    const emails = new Map([[email, email]]);
    const actor = { kind: 'System' } as const;
    const origin = { traceId: 'x', dueAt: Infinity };
    await inviteUsers(admin.app, { ...sharing, emails, actor }, origin, unexpected);
    return email;
  };
  const mailOf = async (email: string, status: string) =>
    eventually(async () => {
      const { body } = await admin.get(`/admin/mail?email=${email}`, token).expect(200);
      return body.Items[0]?.Status === status && (body.Items[0] as { Id: string; LastError: string });
    });
  const invitationOf = async (email: string) => {
    const { body } = await admin.get(`/admin/invitation?email=${email}`, token).expect(200);
    return body.Items[0] as { Id: string; MailStatus: string };
  };
  const linksTo = (email: string) =>
    sink.mails
      .filter(({ to }) => to.includes(email))
      .map(
        ({ raw }) =>
          /#InvitationToken=([\w-]{43})/.exec(raw.replaceAll('=\r\n', '').replaceAll('=3D', '='))?.[1],
      );

  it('sends retried mails at once, and parks them again with the reason if refused again', async () => {
    sink.answerTo = () => [550, 'no such mailbox'];
    const email = await invite();
    const parked = await mailOf(email, 'Parked');
    assert.match(parked.LastError, /550 no such mailbox/);
    assert.equal((await invitationOf(email)).MailStatus, 'Parked');

    sink.answerTo = () => [550, 'still none'];
    await admin.post(`/admin/mail/${parked.Id}/retry`, token).expect(200);
    await eventually(async () => /still none/.test((await mailOf(email, 'Parked')).LastError));

    sink.answerTo = () => undefined;
    await admin.post(`/admin/mail/${parked.Id}/retry`, token).expect(200);
    await mailOf(email, 'Sent');
    assert.equal((await invitationOf(email)).MailStatus, 'Sent');
    assert.equal(linksTo(email).length, 1);
  });

  it('sends a test mail, which can be followed to its delivery', async () => {
    const Email = someEmail();
    const { Id } = (await admin.post('/admin/mail/test', token, { Email }).expect(202)).body;
    await eventually(async () => (await admin.get(`/admin/mail/${Id}`, token)).body.Status === 'Sent');
    assert.equal(sink.mails.filter(({ to }) => to.includes(Email)).length, 1);
  });

  it('does not retry mails whose link was replaced or deleted', async () => {
    sink.answerTo = () => [550, 'no such mailbox'];
    const email = await invite();
    const parked = await mailOf(email, 'Parked');
    sink.answerTo = () => undefined;
    const { Id } = await invitationOf(email);
    await admin.post(`/admin/invitation/${Id}/resend`, token).expect(200);
    const { body } = await admin.post(`/admin/mail/${parked.Id}/retry`, token).expect(409);
    assert.match(body.detail, /invitation is no longer valid/);
    await mailOf(email, 'Sent');
    const [link, ...more] = linksTo(email);
    assert.deepEqual(more, []);
    const given = { token: link ?? '', password: PASSWORD, displayName: 'Gus' };
    const accepted = await acceptInvitation(admin.app, given, { traceId: 'x', dueAt: Infinity });
    assert.equal(accepted.kind, 'accepted');
  });

  it('lists mails whose content cannot be decrypted, and parks them again on retry', async () => {
    const event = newEvent('guest.invited', {
      UserId: newId(),
      InvitationId: newId(),
      ContentDefinitionId: content,
      Mail: 'AQAAAA',
    });
    await inTransaction(admin.app.db, NO_DEADLINE, (tx) => outbox.add(tx, [event]));
    admin.app.relay.wake();
    const isParkedAfter = (tries: number) =>
      eventually(async () => {
        const answer = await admin.get(`/admin/mail/${event.id}`, token);
        return answer.body.Status === 'Parked' && answer.body.Tries === tries && answer.body;
      });
    const { Email, LastError } = await isParkedAfter(1);
    assert.equal(Email, null);
    assert.match(LastError, /cannot be opened/);
    const { body } = await admin.post(`/admin/mail/${event.id}/retry`, token).expect(200);
    assert.equal(body.Tries, 0);
    await isParkedAfter(1);
  });
});
