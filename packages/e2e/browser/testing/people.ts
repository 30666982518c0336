import { connectDb, query } from '@gatehouse/db';
import type { StackFile } from '@gatehouse/dev';
import { eventually } from '@gatehouse/runtime/testing';
import { PASSWORD, type Client } from '../../src/testing/index.ts';
import { phone } from './phone.ts';

type Values = Parameters<typeof query>[2];

/** What people have done before a test begins, without a browser. */
export function people(stack: { readonly facts: StackFile }, client: Client) {
  const sql = async <Row extends object>(text: string, values: Values = []): Promise<Row[]> => {
    const db = connectDb({ url: stack.facts.databaseUrl, applicationName: 'browser-tests', poolMax: 1 });
    try {
      return await query<Row>(db, text, values);
    } finally {
      await db.destroy();
    }
  };
  /** The link with this path in the latest mail that contains one. */
  const mailedLink = (email: string, path: string): Promise<string> =>
    eventually(async () => {
      const mails = await client.mailsTo(email);
      // Dates are whole seconds; mails of the same second are listed in the order in which they arrived.
      const links = mails
        .toSorted((a, b) => a.date.localeCompare(b.date))
        .toReversed()
        .flatMap(({ text }) => text.match(/https?:\/\/\S+/g) ?? []);
      return links.find((link) => new URL(link).pathname === path);
    }, 20);
  return {
    sql,
    mailedLink,
    /** Invites somebody without an account to the content of the first user. `link`: that of the mail. */
    invited: async (email = client.someEmail()) => {
      const { user, contentDefinitionId } = stack.facts.seed;
      const { Token } = await client.login(user.Email, user.Password);
      const invitation = { Emails: [email], ContentDefinitionId: contentDefinitionId };
      const { status } = await client.post('/account/invite-user', invitation, Token);
      if (status !== 200) throw new Error(`an invitation: ${status}`);
      return { email, link: await mailedLink(email, '/register-guest') };
    },
    setUpApp: async (email: string) => {
      const { Token } = await client.login(email);
      const begun = await client.post('/account/two-factor', { Password: PASSWORD }, Token);
      const { OtpAuthUri } = begun.body['TwoFactorSetup'] as { OtpAuthUri: string }; // public-openapi.json
      const app = phone(OtpAuthUri);
      const done = await client.post('/account/two-factor', { TwoFactorCode: await app.nextCode() }, Token);
      if (done.status !== 200) throw new Error(`an authenticator app: ${done.status}`);
      return app;
    },
    /** Sets the last authentication of the owner to six minutes ago. */
    forgetConfirmation: async (email: string) => {
      await sql(
        `with aged as (
           update user_session set authenticated_at = now() - interval '6 minutes'
           where account_id = (select id from account where email = ?) returning id
         )
         delete from session_confirmation where session_id in (select id from aged)`,
        [email],
      );
    },
  };
}
