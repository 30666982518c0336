import assert from 'node:assert/strict';
import { v7 as uuid } from 'uuid';
import { startTalker } from '../testing/talker.ts';
import { createMailer } from './transport.ts';

const ABOUT_MAIL = [
  '501 5.1.3 Bad recipient address syntax',
  '550 No such user',
  '551 5.1.6 User has moved',
  '552 5.2.2 Mailbox full',
  '550 <sender@example.com>: No such user',
  '550 #5.1.1 Unknown',
  '550 5.4.1 Recipient address rejected',
  '554 5.6.0 Malformed content',
  '554-5.6.1 Media\r\n554 5.6.1 not supported',
  '554 Transaction failed',
  '556 5.1.10 Domain accepts no mail',
  '550 5.1.0 Address rejected',
  '552 5.2.0 Message could not be delivered',
];
const OURS = [
  '500 5.5.1 Command unrecognized',
  '521 Server does not accept mail',
  '530 5.7.0 Authentication required',
  '550 5.1.8 Sender domain not found',
  '550 5.3.2 System not accepting messages',
  '550 5.4.5 Daily user sending limit exceeded',
  '550-5.7.26 Unauthenticated\r\n550 5.7.26 mail',
  '550 #5.7.1 Rejected',
  '550 relay not permitted',
  '550 Sender verify failed',
  '550 The from address does not match a verified Sender Identity',
  '554 Message rejected: Email address is not verified',
  "550 5.1.90 Your message can't be sent because you've reached your daily limit for message recipients",
  '550 5.1.0 <no-reply@gatehouse.example> sender rejected',
  '554 5.2.252 SendAsDenied; no-reply@gatehouse.example not allowed to send as another',
  '554 5.2.0 STOREDRV.Submission.Exception:SendAsDeniedException.MapiExceptionSendAsDenied',
  '525 5.7.1 Unauthorized IP address',
  '553 5.1.7 Invalid sender',
  '553 5.7.1 Sender address rejected: not owned by user',
];
const LATER = [
  '421 4.7.0 Too many connections',
  '450 4.2.0 Greylisted',
  '451 4.7.1 Try again later',
  '452 4.2.2 Mailbox full',
  '432 4.3.2 Concurrent connections limit exceeded',
  '454 Throttling failure: Maximum sending rate exceeded.',
];

describe('a mail server that refuses', () => {
  const letter = { subject: 'Your code', text: 'Hello\n', html: '<p>Hello</p>', pictures: [] };

  /** What becomes of a mail whose first attempt gets this answer at this command. All else is accepted. */
  async function outcome(command: string, answer: string) {
    let accepted = 0;
    let isRefused = false;
    const server = await startTalker(({ command: at }) => {
      if (at === command && !isRefused) {
        isRefused = true;
        return answer;
      }
      if (at === '.') accepted += 1;
      return undefined;
    });
    const from = { name: '', address: 'no-reply@gatehouse.example' };
    const mailer = createMailer({ smtpUrl: `smtp://127.0.0.1:${server.port}`, from, sendMs: 5000 });
    const mail = { id: uuid(), to: 'ann@example.com', letter };
    const result = await mailer.send(mail);
    const isKept = result.status !== 'sent' && result.status !== 'refused';
    if (isKept) assert.deepEqual(await mailer.send(mail), { status: 'sent' }, `${command}: ${answer}`);
    assert.equal(accepted, result.status === 'refused' ? 0 : 1, `${command}: ${answer}`);
    mailer.close();
    void server.close();
    return result.status === 'sent' ? 'sent' : `${result.status}${result.isOurs ? ', ours' : ''}`;
  }
  const expect = async (commands: string[], answers: string[], right: string): Promise<void> => {
    for (const command of commands)
      for (const answer of answers)
        assert.equal(await outcome(command, answer), right, `${command}: ${answer}`);
  };

  it('a recipient or a content for good loses that mail alone', () =>
    expect(['RCPT', 'DATA', '.'], ABOUT_MAIL, 'refused'));

  it('our sender, quota or rights loses nothing, at whatever step it says so', async () => {
    const signIn = OURS.filter((answer) => answer.startsWith('530'));
    const rest = OURS.filter((answer) => !signIn.includes(answer));
    await expect(['RCPT', 'DATA', '.'], signIn, 'unreachable, ours');
    await expect(['RCPT', 'DATA', '.'], rest, 'deferred, ours');
    await expect(['MAIL'], [...ABOUT_MAIL, ...OURS], 'unreachable, ours');
  });

  it('for now is asked again', () => expect(['MAIL', 'RCPT', 'DATA', '.'], LATER, 'deferred'));

  it('to talk at all counts as a server that cannot be reached', () =>
    expect(['greeting'], [...ABOUT_MAIL, ...OURS, ...LATER], 'unreachable'));

  it('the end of a conversation has the mail already', () =>
    expect(['QUIT', 'RSET'], [...OURS, ...LATER], 'sent'));
});
