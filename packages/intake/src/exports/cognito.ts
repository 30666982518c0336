import { accountOf, entriesIn, fullName, isEntry, listed, textOf, type Converter } from './conversion.ts';

const USED = ['sub', 'email', 'email_verified', 'name', 'given_name', 'family_name'];

/** Amazon Cognito: the output of `aws cognito-idp list-users`. Cognito does not export password hashes. */
export const cognito: Converter = {
  entriesOf: (file) => (isEntry(file) ? listed(file['Users']) : undefined),
  isPage: (file) => isEntry(file) && textOf(file['PaginationToken'] ?? file['NextToken']) !== undefined,
  convert: (entry) => {
    const attributes = new Map(
      entriesIn(entry['Attributes']).map(({ Name, Value }) => [String(Name), Value]),
    );
    return accountOf({
      email: attributes.get('email'),
      isVerified: attributes.get('email_verified') === 'true',
      isClosed: entry['Enabled'] !== true,
      name:
        textOf(attributes.get('name')) ??
        fullName(attributes.get('given_name'), attributes.get('family_name')),
      notes: [...attributes.keys()]
        .filter((name) => !USED.includes(name))
        .map((name) => `the attribute ${name}`),
    });
  },
  marks: [['Username', 'Attributes']],
  fields: ['Username', 'Attributes', 'Enabled', 'UserStatus', 'UserCreateDate', 'UserLastModifiedDate'],
};
