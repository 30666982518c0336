import { startAdmin } from '../testing/index.ts';

/** The fields of an audit entry that tests check. */
export interface Entry {
  Id: string;
  Action: string;
  ActorId: string | null;
  At: string;
  TargetId: string | null;
  Details: object;
}

export type Audited = Awaited<ReturnType<typeof startAudited>>;

/** Admin with an administrator who makes changes and reads their audit entries. */
export async function startAudited() {
  const admin = await startAdmin();
  const person = await admin.newAccount({ role: 'Admin' });
  const me = { ...person, Token: (await admin.login(person)).Token };
  return {
    admin,
    me,
    list: async (search = '') =>
      (await admin.get(`/admin/audit${search}`, me).expect(200)).body as {
        Items: Entry[];
        NextCursor?: string;
      },
    addContent: async () => {
      const content = { Name: 'News', Kind: 'Document' };
      return (await admin.post('/admin/content-definition', me, content).expect(201)).body.Id as string;
    },
  };
}
