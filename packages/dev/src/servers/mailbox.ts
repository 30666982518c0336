import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ManagedProcess } from '../processes/supervisor.ts';
import { makeHome } from './home.ts';
import { answersHttp } from './probes.ts';

/** MailDev accepts every mail and delivers none. Scripts read at `/email`; pages of other origins get no access. */
export function mailbox(options: {
  directory: string;
  ports: { mail: number; smtp: number };
  bindAddress?: string | undefined;
}) {
  const { directory, ports, bindAddress = '127.0.0.1' } = options;
  const home = makeHome(join(directory, 'mail'));
  const mailUrl = `http://127.0.0.1:${ports.mail}`;
  const script = join(dirname(createRequire(import.meta.url).resolve('maildev/package.json')), 'bin/maildev');
  const server: ManagedProcess = {
    name: 'mail',
    command: process.execPath,
    args: [
      ...['--require', fileURLToPath(new URL('inbox-guard.cjs', import.meta.url))],
      script,
      ...['--ip', bindAddress, '--smtp', String(ports.smtp), '--web', String(ports.mail)],
      ...['--mail-directory', home.folder('mails')],
    ],
    ...home.process,
    isReady: () => answersHttp(`${mailUrl}/healthz`, 200),
  };
  return { server, smtpUrl: `smtp://127.0.0.1:${ports.smtp}`, mailUrl };
}
