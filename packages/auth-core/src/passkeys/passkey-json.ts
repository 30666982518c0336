import { Nullable, Text, Type, type Static } from '@gatehouse/schema';

/** Bytes as base64url, in WebAuthn’s JSON format (WebAuthn Level 3, §5.1.8 to §5.1.10). Browsers may add fields. */
function Bytes(maxLength: number, description?: string) {
  return Type.String({
    pattern: /^[A-Za-z0-9_-]+$/.source,
    maxLength,
    ...(description !== undefined && { description }),
  });
}

/** The maximum length of a credential id in base64url: 1,023 bytes (CTAP 2.2, §6.1). */
const ID_LENGTH_MAX = 1364;

const credential = {
  id: Bytes(ID_LENGTH_MAX, 'The ID of the passkey, in base64url like all binary values here'),
  rawId: Bytes(ID_LENGTH_MAX),
  type: Type.Literal('public-key'),
};

const ClientData = Bytes(8192);

const PasskeyAssertion = Type.Object(
  {
    ...credential,
    response: Type.Object(
      {
        clientDataJSON: ClientData,
        authenticatorData: Bytes(8192),
        signature: Bytes(2048),
        userHandle: Type.Optional(Nullable(Bytes(88))),
      },
      { title: 'PasskeyAssertionResponse', additionalProperties: true },
    ),
  },
  {
    title: 'PasskeyAssertion',
    additionalProperties: true,
    description: '`PublicKeyCredential.toJSON()` of `navigator.credentials.get()`',
  },
);
export type AssertionJson = Static<typeof PasskeyAssertion>;

export const PasskeyRegistration = Type.Object(
  {
    ...credential,
    response: Type.Object(
      {
        clientDataJSON: ClientData,
        attestationObject: Bytes(16_384),
        transports: Type.Optional(Type.Array(Text(32), { maxItems: 10 })),
      },
      { title: 'PasskeyRegistrationResponse', additionalProperties: true },
    ),
  },
  {
    title: 'PasskeyRegistration',
    additionalProperties: true,
    description: '`PublicKeyCredential.toJSON()` of `navigator.credentials.create()`',
  },
);
export type RegistrationJson = Static<typeof PasskeyRegistration>;

const Descriptors = Type.Array(
  Type.Object(
    {
      type: Type.Literal('public-key'),
      id: Type.String(),
      transports: Type.Array(Type.String()),
    },
    { title: 'PasskeyDescriptor' },
  ),
);

/** The input of `PublicKeyCredential.parseRequestOptionsFromJSON()`; if it allows no credentials, the user may choose any. */
export const PasskeyRequestOptions = Type.Object(
  {
    challenge: Type.String(),
    rpId: Type.String(),
    timeout: Type.Integer(),
    allowCredentials: Descriptors,
    userVerification: Type.Literal('required'),
  },
  {
    title: 'PasskeyRequestOptions',
    description:
      'For `PublicKeyCredential.parseRequestOptionsFromJSON()`, then `navigator.credentials.get()`',
  },
);
export type RequestOptionsJson = Static<typeof PasskeyRequestOptions>;

export const PasskeyCreationOptions = Type.Object(
  {
    rp: Type.Object({ id: Type.String(), name: Type.String() }, { title: 'RelyingParty' }),
    user: Type.Object(
      { id: Type.String(), name: Type.String(), displayName: Type.String() },
      { title: 'PasskeyUser' },
    ),
    challenge: Type.String(),
    pubKeyCredParams: Type.Array(
      Type.Object(
        { type: Type.Literal('public-key'), alg: Type.Integer({ description: 'COSE algorithm' }) },
        { title: 'PasskeyAlgorithm' },
      ),
    ),
    timeout: Type.Integer(),
    excludeCredentials: Descriptors,
    authenticatorSelection: Type.Object(
      {
        residentKey: Type.Literal('required'),
        requireResidentKey: Type.Literal(true),
        userVerification: Type.Literal('required'),
      },
      { title: 'AuthenticatorSelection' },
    ),
    attestation: Type.Literal('none'),
  },
  {
    title: 'PasskeyCreationOptions',
    description:
      'For `PublicKeyCredential.parseCreationOptionsFromJSON()`, then `navigator.credentials.create()`',
  },
);
export type CreationOptionsJson = Static<typeof PasskeyCreationOptions>;

export const PasskeyToken = Type.String({
  minLength: 1,
  maxLength: 512,
  description: 'Identifies the signed challenge. Valid for five minutes and one use.',
});

export const PASSKEY_FIELDS = {
  PasskeyToken: Type.Optional(PasskeyToken),
  Credential: Type.Optional(PasskeyAssertion),
};
