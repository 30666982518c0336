import { cast } from '../testing/cast.ts';

/** The fields of an audit entry that tests check. */
interface Entry {
  Id: string;
  Action: string;
  ActorId: string | null;
  At: string;
  TargetId: string | null;
  Details: object;
}

/** An administrator who makes changes, and their audit entries. */
export function auditCast() {
  const people = cast({});
  return {
    ...people,
    list: async (search = '') =>
      (await people.boss.read(`/admin/audit${search}`)) as { Items: Entry[]; NextCursor?: string },
    addContent: async () => {
      const content = { Name: 'News', Kind: 'Document' };
      return (await people.boss.post('/admin/content-definition', content).expect(201)).body.Id as string;
    },
  };
}
