import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { hashInvitationToken } from '@gatehouse/auth-core';
import { logIn, newAccount, newContent, newToken } from '@gatehouse/accounts/testing';
import { v7 as newId } from 'uuid';
import { during } from '@gatehouse/runtime/testing';
import { patiently } from '../requests/send.ts';
import { startServices } from '../requests/services.ts';
import { cookies } from './users.ts';

const SECRET_PASSWORD = 'of the attacker';
const ROLES = ['Admin', 'User', 'Guest'] as const;
const OTHER_PASSWORD = 'another of the attacker';

/** A statement of the attacker, or several in one transaction. `:hash` is that of the secret, `:password` that of the password, `:code` a new id. */
type Forgery = string | readonly string[];

/**
 * Everything that Portal may write, with the worst that it could write there for each victim. A right that is missing
 * here fails the test: say which row or value would open most, and see that nothing opens.
 */
const RIGHTS: Record<string, Forgery[]> = {
  'delete account': ['delete from account where id = :id'],
  'insert account': [
    `insert into account (id, email, email_key, role) values (:code, '+' || :email, '+' || :email, 'Admin')`,
    `insert into account (id, email, email_key, role, signup) values (:id, :email, :email, 'Admin', 'complete')
     on conflict (id) do update set password_hash = :password`,
  ],
  'update account': [
    `update account set password_hash = :password, password_scheme = 'peppered' where id = :id`,
    `update account set signup = 'invitation', password_hash = :password, password_scheme = 'peppered' where id = :id`,
    `update account set new_password_required = false, email_verified_at = now() where id = :id`,
    `update account set expires_at = null, content_expired_at = null, expires_at_before = null where id = :id`,
    `update account set password_version = 0 where id = :id`,
    `update account set display_name = 'the chief', locale = 'de' where id = :id`,
  ],
  'delete account_code': ['delete from account_code where account_id = :id'],
  'insert activity': [`insert into activity select * from activity`],
  'update activity': ['update activity set count = 0'],
  'delete address_mail_quota': ['delete from address_mail_quota'],
  'insert address_mail_quota': ['insert into address_mail_quota select * from address_mail_quota'],
  'update address_mail_quota': ['update address_mail_quota set sent = 0'],
  'update api_token': ['update api_token set last_used_at = now(), last_used_ip = null'],
  'insert audit': [
    `insert into audit (id, action, actor_kind, actor_id, target_kind, target_id)
     values (:code, 'guest.registered', 'Account', :id, 'Account', :id)`,
  ],
  'delete content_access': ['delete from content_access where account_id = :id'],
  'insert content_access': [
    `insert into content_access (content_definition_id, account_id, invited_email) values (:content, :id, :email)`,
  ],
  'update content_access': [
    'update content_access set expires_at = null, granted_by = :id where account_id = :id',
  ],
  'update content_definition': ['update content_definition set updated_at = now()'],
  'delete earlier_verify_code': ['delete from earlier_verify_code where account_id = :id'],
  'insert guest_login': [
    `insert into guest_login (code_hash, account_id, expires_at) values (:hash, :id, now() + interval '10 years')`,
    [
      'update invitation set accepted_at = now() where account_id = :id',
      `insert into guest_login (code_hash, account_id, expires_at) values (:hash, :id, now() + interval '30 seconds')`,
    ],
    [
      `insert into invitation (
         id, account_id, content_definition_id, token_hash, expires_at, invited_email, accepted_at)
       values (:code, :id, :content, :hash, now() + interval '1 day', :email, now())`,
      `insert into guest_login (code_hash, account_id, expires_at) values (:hash, :id, now() + interval '30 seconds')`,
    ],
  ],
  'insert invitation': [
    `insert into invitation (id, account_id, content_definition_id, token_hash, expires_at, invited_email)
     values (:code, :id, :content, :hash, now() + interval '1 day', :email)`,
  ],
  'update invitation': [
    `update invitation set accepted_at = null, token_hash = :hash, expires_at = now() + interval '1 day'
     where account_id = :id`,
  ],
  'delete invitation_request': ['delete from invitation_request'],
  'insert invitation_request': [
    `insert into invitation_request (id, email_key, purpose, trace_id) values (:code, :email, 'invitation', '')`,
  ],
  'update invitation_request': ['update invitation_request set due_at = now()'],
  'insert inviter_quota': ['insert into inviter_quota (inviter_id, sent) values (:id, 0)'],
  'update inviter_quota': ['update inviter_quota set sent = 0'],
  'delete live_session_outbox': ['delete from live_session_outbox'],
  'insert live_session_outbox': ['insert into live_session_outbox (session_id) values (:ended)'],
  'delete login_code': ['delete from login_code where account_id = :id'],
  'delete login_throttle': ['delete from login_throttle'],
  'insert mail_quota': ['insert into mail_quota select * from mail_quota'],
  'update mail_quota': ['update mail_quota set sent = 0'],
  'delete outbox': ['delete from outbox'],
  'insert outbox': [
    `insert into outbox (id, event) values (:code, '{"type": "account.verified", "data": {}}')`,
  ],
  'update outbox': ['update outbox set published_at = now()'],
  'delete passkey': ['delete from passkey where account_id = :id'],
  'delete recovery_code': ['delete from recovery_code where account_id = :id'],
  'insert session_event': [
    `insert into session_event (session_id, account_id, status, reason, token_expires_at)
     values (:ended, :id, 1, 'login', now() + interval '1 day')`,
  ],
  'delete session_take_over': ['delete from session_take_over where account_id = :id'],
  'delete sign_on_code': ['delete from sign_on_code where account_id = :id'],
  'delete sso_attempt': ['delete from sso_attempt'],
  'delete two_factor': ['delete from two_factor where account_id = :id'],
  'delete two_factor_challenge': ['delete from two_factor_challenge where account_id = :id'],
  'update user_session': [
    'update user_session set ended_at = null, end_reason = null, status = 1 where id = :ended',
    `update user_session set ended_at = null, status = 5, version = version + 1 where account_id = :id`,
    `update user_session set last_seen_at = now() + interval '1 year', version = version + 1,
       last_pinged_at = now(), content_definition_id = null
     where account_id = :id`,
  ],
  'delete webauthn_challenge': ['delete from webauthn_challenge'],
};

/** The columns that it may write, where it may not write all. */
const COLUMNS: Record<string, string> = {
  'insert account': 'email email_key id locale role signup',
  'update account': `content_expired_at display_name email_verified_at expires_at expires_at_before locale new_password_required
    password_hash password_scheme password_version signup`,
  'update activity': 'count',
  'update api_token': 'last_used_at last_used_ip',
  'update content_access': 'expires_at granted_at granted_by invited_email',
  'update content_definition': 'updated_at',
  'update invitation_request': 'due_at',
  'update outbox': 'publications publish_after published_at',
  'update user_session':
    'content_definition_id end_reason ended_at last_pinged_at last_seen_at status version',
};

describe('every table that Portal may write, for an attacker who has its login to Postgres', function () {
  this.timeout(120_000);
  const services = during(() => startServices());
  let password: string;
  let sat: string;
  before(async () => {
    password = await services.portal.app.service.passwords.from(undefined).hash(SECRET_PASSWORD);
    const revoked = await newToken(services.app, { role: 'Admin' });
    await services.sql('update api_token set revoked_at = now() where id = ?', [revoked.id]);
    sat = revoked.Token;
  });

  it('is listed here', async () => {
    const sql = `select lower(privilege) || ' ' || c.relname as "right",
         case when has_table_privilege('gatehouse_portal', c.oid, privilege) then '*' else (
           select string_agg(a.attname, ' ' order by a.attname) from pg_attribute a
           where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
             and has_column_privilege('gatehouse_portal', c.oid, a.attnum, privilege)) end as columns
       from pg_class c
       cross join (values ('INSERT'), ('UPDATE'), ('DELETE'), ('TRUNCATE')) as held (privilege)
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v', 'm', 'p', 'f')
         and case when privilege in ('DELETE', 'TRUNCATE') then has_table_privilege('gatehouse_portal', c.oid, privilege)
             else has_any_column_privilege('gatehouse_portal', c.oid, privilege) end
       order by 1`;
    const rows = await services.sql(sql);
    const held = rows.map((row) => [row['right'], row['columns']?.split(' ')]);
    const listed = Object.keys(RIGHTS).map((right) => [right, (COLUMNS[right] ?? '*').split(/\s+/)]);
    assert.deepEqual(Object.fromEntries(held), Object.fromEntries(listed));
  });

  for (const [right, worst] of Object.entries(RIGHTS)) {
    it(`${right} opens nothing at Core and Admin`, async () => {
      const victims = await Promise.all(ROLES.map((role) => newVictim(role, worst.length)));
      for (const victim of victims)
        for (const [at, forgery] of worst.entries()) await forge([forgery].flat(), at, victim);
      // What the attacker removes anyway, so that no refusal is one for trying too often.
      await services.sql('delete from login_throttle');
      const opened = await Promise.all(victims.map(openedOf));
      assert.deepEqual(opened.flat(), []);
    });
  }

  type Victim = Awaited<ReturnType<typeof newVictim>>;
  /** With a session that has ended, and one whose owner has not proved anything for an hour. */
  const newVictim = async (role: (typeof ROLES)[number], forgeries: number) => {
    const { id, email } = await newAccount(services.app, { role });
    const contentId = await newContent(services.app);
    const invite = `insert into invitation (id, account_id, content_definition_id, token_hash, expires_at, invited_email, accepted_at)
       values (?, ?, ?, ?::text::bytea, now() + interval '1 day', ?, now() - interval '1 hour')`;
    await services.sql(invite, [newId(), id, contentId, newId(), email]);
    const forgetPassword = 'update account set password_hash = null, password_scheme = null where id = ?';
    if (role === 'Guest') await services.sql(forgetPassword, [id]);
    const { sessionId: endedId, Token, RefreshToken } = await logIn(services.app, { id });
    const { sessionId: liveId } = await logIn(services.app, { id });
    const age = `update user_session set authenticated_at = now() - interval '1 hour' where id = ?`;
    await services.sql(age, [liveId]);
    // What the attacker chooses for each forgery, in the form of our own codes and tokens.
    const secrets = Array.from({ length: forgeries }, () => randomBytes(32).toString('base64url'));
    return { role, id, email, endedId, RefreshToken, Token, liveId, contentId, secrets };
  };

  /** Runs the statements in one transaction of Portal; a refusal by Postgres is as good as one at a door. */
  const forge = async (
    statements: string[],
    at: number,
    { id, email, endedId, contentId, secrets }: Victim,
  ): Promise<void> => {
    const hash = hashInvitationToken(secrets[at] ?? '');
    const known = { id, email, password, hash, ended: endedId, content: contentId, code: newId() };
    try {
      await services.portal.app.service.db.transaction(async (tx) => {
        for (const statement of statements) await tx.raw(statement, known);
      });
    } catch (error) {
      const { code = '' } = error as { code?: string };
      // Refused, a trigger's refusal, or a row that contradicts another one: never a statement that is wrong itself.
      assert.match(code, /^(42501|23...|55000)$/, `${statements.join('; ')}: ${String(error)}`);
    }
  };

  const openedOf = async (victim: Victim): Promise<string[]> => {
    const { sessions } = services.app.browser;
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
    const cookiesOf = (sessionId: string) => cookies(sessions, { id: victim.id, sessionId });
    const [ended, live] = [cookiesOf(victim.endedId), cookiesOf(victim.liveId)];
    const sameOrigin = { 'sec-fetch-site': 'same-origin' };
    const byPassword = { Username: victim.email, Password: SECRET_PASSWORD };
    const byMail = { Username: victim.email, MailCode: 'ABCD-EFGH' };
    const code = { Email: victim.email, Code: 'ABCD-EFGH' };
    const doors: [line: string, headers: Record<string, string>, body?: object][] = [
      ['POST /account/login', {}, byPassword],
      ['POST /account/refresh-token', {}, { RefreshToken: victim.RefreshToken }],
      ['POST /account/reset-password', {}, { ...code, Password: OTHER_PASSWORD }],
      ['POST /account/verify', {}, code],
      ['GET /ping/auth', bearer(victim.Token)],
      ['GET /account/passkey', ended],
      ['POST /account/passkey/options', live, {}],
      ['GET /session-event', bearer(sat)],
      ['GET /admin/account', bearer(victim.Token)],
      ['GET /admin/account', bearer(sat)],
      ['GET /admin/account', ended],
      ['POST /admin/api-token', live, { Name: 'mine' }],
      ['POST /console/session', sameOrigin, byPassword],
    ];
    for (const secret of victim.secrets)
      doors.push(
        ['POST /account/login', {}, { ...byMail, RequestToken: secret }],
        ['POST /account/handover/exchange', sameOrigin, { HandoverCode: secret }],
        ['POST /account/handover/exchange', sameOrigin, { HandoverCode: `gst_${secret}` }],
        ['POST /account/take-back-email', {}, { Token: secret, Password: OTHER_PASSWORD }],
        ['POST /account/restore', {}, { Token: secret }],
        ['POST /console/handover/exchange', sameOrigin, { HandoverCode: secret }],
      );
    const answers = await Promise.all(
      doors.map(async ([line, headers, body]) => {
        const { status, text, body: said } = await patiently(() => services.call(line, { headers, body }));
        const isRefused = status >= 400 && status < 500 && said['code'] !== 'invalid_request';
        return isRefused ? [] : [`${victim.role}: ${line} ${status} ${text}`];
      }),
    );
    return answers.flat();
  };
});
