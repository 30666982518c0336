import { Enum, EXPORT_SECTIONS, Timestamp, Type, type ExportSection, type Static } from '@gatehouse/schema';

const Row = Type.Object({}, { title: 'ExportedRow', additionalProperties: true });

function rows(description: string) {
  return Type.Array(Row, { description });
}

const SECTIONS: Record<ExportSection, ReturnType<typeof rows>> = {
  Profile: rows('The account itself, in one row'),
  Passkeys: rows('Names and times, without the keys'),
  Identities: rows('Single sign-on identities that are linked to the account'),
  Sessions: rows('Active and ended ones, with device and address'),
  SessionHistory: rows('Every change of a session'),
  SignIns: rows('Sign-ins and refused attempts, with device and address'),
  Apps: rows('Applications that the account is signed in to, or has granted something'),
  OwnedContent: rows('Content that the account owns'),
  Content: rows('Content that is shared with the account'),
  InvitationsReceived: rows('Invitations of the account'),
  InvitationsSent: rows('Invitations by the account'),
  FaceReviews: rows('Decisions about faces'),
  Audit: rows('Actions by the account (`IsOwn`) and actions on it by others'),
  Mails: rows('Emails to the account: kind, status and times'),
};

export const AccountExportAnswer = Type.Object(
  {
    ExportedAt: Timestamp(),
    Truncated: Type.Array(Enum([...EXPORT_SECTIONS]), { description: 'Sections with more rows than shown' }),
    ...SECTIONS,
  },
  { title: 'AccountExport' },
);

export const EXPORT_HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Disposition': 'attachment; filename="account.json"',
};

export function accountExportAnswer(
  sections: Readonly<Record<ExportSection, { items: Record<string, unknown>[]; isTruncated: boolean }>>,
): Static<typeof AccountExportAnswer> {
  const items = Object.fromEntries(EXPORT_SECTIONS.map((name) => [name, sections[name].items]));
  return {
    ExportedAt: new Date().toISOString(),
    Truncated: EXPORT_SECTIONS.filter((name) => sections[name].isTruncated),
    // Every section is present.
    ...(items as Record<ExportSection, Record<string, unknown>[]>),
  };
}
