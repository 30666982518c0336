import type { TSchema } from 'typebox';

/**
 * A value that matches the schema, for documents: the schema's own example, or one of its listed values, or a typical
 * value for a field of this name, or one of its type. Optional fields are included; of several choices, only the first.
 */
export function exampleOf(schema: TSchema, field = ''): unknown {
  // These are members of JSON Schema; TypeBox has separate types for each kind of schema.
  const { type, properties, items, anyOf, numberOf, examples, oneOfFields, ...rest } = schema as Members;
  if (examples?.[0] !== undefined) return examples[0];
  if (rest.const !== undefined) return rest.const;
  if (rest.enum?.[0] !== undefined) return rest.enum[0];
  if (rest.default !== undefined) return rest.default;
  if (numberOf !== undefined) return Object.values(numberOf)[0];
  if (anyOf?.[0] !== undefined) return exampleOf(anyOf[0], field);
  switch (Array.isArray(type) ? type[0] : type) {
    case 'object': {
      const [shown = [], ...others] = Object.values(oneOfFields ?? {});
      const leftOut = others.flat();
      const fields = Object.entries(properties ?? {}).filter(
        ([name]) => shown.includes(name) || !leftOut.includes(name),
      );
      return Object.fromEntries(fields.map(([name, inner]) => [name, exampleOf(inner, name)]));
    }
    case 'array':
      return items === undefined ? [] : [exampleOf(items, field)];
    case 'string':
      return FORMATS[rest.format ?? ''] ?? FIELDS[field] ?? 'text';
    case 'integer':
    case 'number':
      return rest.minimum ?? rest.maximum ?? 1;
    case 'boolean':
      return false;
    case 'null':
      return null;
    default:
      return {};
  }
}

interface Members {
  type?: string | string[];
  properties?: Record<string, TSchema>;
  items?: TSchema;
  anyOf?: TSchema[];
  numberOf?: Record<string, number>;
  oneOfFields?: Readonly<Record<string, readonly string[]>>;
  examples?: readonly unknown[];
  enum?: readonly unknown[];
  const?: unknown;
  default?: unknown;
  format?: string;
  minimum?: number;
  maximum?: number;
}

const FORMATS: Record<string, string> = {
  uuid: '019a1b2c-3d4e-7f50-8a6b-7c8d9e0f1a2b',
  'date-time': '2026-01-31T09:30:00.000Z',
  'email-address': 'ann@example.com',
  uri: 'https://example.com/',
};

const FIELDS: Record<string, string> = {
  Username: 'ann@example.com',
  Email: 'ann@example.com',
  Password: 'correct horse battery staple',
  PasswordHash: '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy',
  CurrentPassword: 'correct horse battery staple',
  Code: '7KQ2-M9XD',
  TwoFactorCode: '492039',
  RecoveryCodes: '7KQ2M-9XD4T',
  DisplayName: 'Ann',
  Locale: 'en',
  DeviceName: "Ann's laptop",
  UserAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  IpAddress: '203.0.113.7',
  RefreshToken: 'AaH9ZiHQcfmXjnhONO9LDY…',
  refreshToken: 'AaH9ZiHQcfmXjnhONO9LDY…',
  token: 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiI…',
  TwoFactorToken: 'q3ZDq0mYk2J8…',
  InvitationToken: 'nX3bq7rKJ0u5…',
  Secret: 'JBSWY3DPEHPK3PXP',
  OtpAuthUri: 'otpauth://totp/Gatehouse:ann%40example.com?secret=JBSWY3DPEHPK3PXP&issuer=Gatehouse',
  Name: 'Ann Lee',
  Notes: 'Works in the east building',
  ExternalId: 'employee-4711',
  SourceId: 'camera 7, frame 12',
  ImageUrl: 'https://images.example.com/7/12.jpg',
  Reason: 'Reported by the help desk',
  NextCursor: 'eyJpZCI6IjAxOWExYjJjIn0',
  TraceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  Action: 'account.changed',
  LastError: '450 4.2.1 Mailbox busy',
  Prefix: 'sat_TVsx',
  SsoProvider: 'demo',
  Token: 'sat_TVsxCNLE81kq…',
  Kind: 'verification-code',
  TargetKind: 'Account',
  Message: 'must be an email address',
  provider: 'demo',
  number: '1',
  kid: '2026-01',
  x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
  y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
};
