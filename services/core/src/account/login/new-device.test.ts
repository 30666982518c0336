import assert from 'node:assert/strict';
import { query } from '@gatehouse/db';
import { atOnce, cast, type Person } from '../../testing/cast.ts';
import { PASSWORD } from '../../testing/index.ts';

describe('notices of a sign-in from a new device', () => {
  const { core, member } = cast();

  const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
  const logsIn = (ann: Person, userAgent: string, DeviceName?: string) =>
    ann.logsIn(PASSWORD, { DeviceName }).set('user-agent', userAgent).expect(200);
  /** The names of the devices in the notices, with `undefined` for none. */
  const noticesTo = async (ann: Person) =>
    (await ann.mails()).flatMap(({ type, content }) =>
      type === 'session.new-device' ? [{ DeviceName: undefined, ...content }] : [],
    );
  const devicesIn = async (ann: Person) => (await noticesTo(ann)).map(({ DeviceName }) => DeviceName);

  it('are mailed, except for the first login and logins from a known device', async () => {
    const ann = await member();
    for (let time = 0; time < 2; time += 1) await logsIn(ann, FIREFOX);
    assert.deepEqual(await devicesIn(ann), []);
    await logsIn(ann, FIREFOX, 'Phone');
    assert.deepEqual(await devicesIn(ann), ['Phone']);
    await logsIn(ann, FIREFOX, 'Phone');
    await logsIn(ann, FIREFOX);
    const notices = await noticesTo(ann);
    assert.equal(notices.length, 1);
    assert.ok(notices[0] && 'IpAddress' in notices[0] && 'At' in notices[0]);
  });

  it('are mailed if the earlier sessions were deleted', async () => {
    const ann = await member();
    await logsIn(ann, FIREFOX);
    await query(core().app.db, 'delete from user_session where account_id = ?', [await ann.id()]);
    await logsIn(ann, FIREFOX);
    assert.deepEqual(await devicesIn(ann), ['Firefox, Linux']);
  });

  it('name an unnamed device by known parts of its user agent only', async () => {
    const ann = await member();
    for (const agent of ['one', `${FIREFOX} call evil.example`, 'visit https://evil.example'])
      await logsIn(ann, agent);
    assert.deepEqual(await devicesIn(ann), ['Firefox, Linux', undefined]);
  });

  it('are limited to five an hour, and never prevent a login', async () => {
    const ann = await member();
    for (let index = 0; index < 8; index += 1) await logsIn(ann, `device ${index}`);
    assert.equal((await noticesTo(ann)).length, 5);
  });

  it('are mailed once for concurrent logins from one device', async () => {
    const ann = await member();
    await logsIn(ann, 'one');
    await atOnce(5, () => logsIn(ann, 'two'));
    assert.equal((await noticesTo(ann)).length, 1);
    assert.equal((await ann.sessions('id')).length, 6);
  });
});
