import { PAGE_PATHS } from '@gatehouse/schema';
import type { StackFile } from '../stack/stack-file.ts';

/** The text that `npm start` prints when a stack is ready. */
export function welcome(facts: StackFile, files: { stackFile: string; logs: string }): string {
  const { baseUrl, pagesUrl, adminUrl, consoleUrl, mailUrl, admin, seed } = facts;
  const rows = [
    ['Account pages', `${pagesUrl}${PAGE_PATHS.login}`],
    ['API, issuer of tokens', baseUrl],
    ['Console', consoleUrl],
    ['Admin API', adminUrl],
    ['Mail inbox', mailUrl],
    ...(facts.idpUrl === undefined ? [] : [['Demo identity provider', facts.idpUrl]]),
    ...(facts.appUrl === undefined ? [] : [['Demo application', facts.appUrl]]),
    ['API reference', `${baseUrl}/docs`],
    ['Administrator', `${admin.Email}  ${admin.Password}`],
    ['User', `${seed.user.Email}  ${seed.user.Password}`],
    ['Tokens for services', `${consoleUrl}/tokens`],
    ['Live channel (the user’s)', seed.contentDefinitionId],
    ['Postgres', facts.databaseUrl],
    ['Redis', facts.redisNodes?.join(',') ?? facts.redisUrl],
    ['RabbitMQ', facts.amqpUrl],
    ['Logs', files.logs],
    ['For scripts', files.stackFile],
  ];
  const table = rows.map(([label = '', value]) => `  ${label.padEnd(25)}  ${value}`).join('\n');
  const login = JSON.stringify({ Username: seed.user.Email, Password: seed.user.Password });
  return `
Gatehouse is up.

${table}

Try it:

  curl -s ${baseUrl}/account/login -H 'Content-Type: application/json' -d '${login}'
${signOnLine(facts)}
Ctrl-C stops everything.
`;
}

function signOnLine({ adminUrl, ssoProvider, idpUrl }: StackFile): string {
  if (ssoProvider === '') return '';
  const whom = idpUrl === undefined ? 'by your own provider' : 'with any email address';
  return `\n  ${adminUrl}/auth/${ssoProvider}/login in a browser: single sign-on, ${whom}\n`;
}
