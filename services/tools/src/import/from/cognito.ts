import { CommandError } from '../../terminal.ts';
import { accountOf, entriesIn, fullName, isEntry, listed, textOf, type Converter } from './conversion.ts';

const USED = ['sub', 'email', 'email_verified', 'name', 'given_name', 'family_name'];

/** Amazon Cognito: the output of `aws cognito-idp list-users`. Cognito does not export password hashes. */
export const cognito: Converter = {
  entriesOf: (file) => {
    if (!isEntry(file)) return undefined;
    if (textOf(file['PaginationToken'] ?? file['NextToken']) !== undefined) {
      throw new CommandError(
        'The export is one page of several: it ends with a token for the next',
        'Let the AWS CLI fetch all pages: without --no-paginate and --max-items.',
      );
    }
    return listed(file['Users']);
  },
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
  fields: ['Username', 'Attributes', 'Enabled', 'UserStatus', 'UserCreateDate', 'UserLastModifiedDate'],
};
