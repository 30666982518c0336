import { EXPORT_SECTIONS, Timestamp, Type, type ExportSection, type Static } from '@gatehouse/schema';

const Row = Type.Object({}, { title: 'ExportedRow', additionalProperties: true });

function rows(description: string) {
  return Type.Array(Row, { description });
}

const NAMES = Object.keys(EXPORT_SECTIONS) as ExportSection[]; // the keys of a literal are just these

export const AccountExportAnswer = Type.Object(
  {
    ExportedAt: Timestamp(),
    Truncated: Type.Array(Type.Enum(NAMES, { type: 'string' }), {
      description: 'Sections with more rows than shown',
    }),
    // Every section is present.
    ...(Object.fromEntries(NAMES.map((name) => [name, rows(EXPORT_SECTIONS[name])])) as Record<
      ExportSection,
      ReturnType<typeof rows>
    >),
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
  const items = Object.fromEntries(NAMES.map((name) => [name, sections[name].items]));
  return {
    ExportedAt: new Date().toISOString(),
    Truncated: NAMES.filter((name) => sections[name].isTruncated),
    ...(items as Record<ExportSection, Record<string, unknown>[]>),
  };
}
