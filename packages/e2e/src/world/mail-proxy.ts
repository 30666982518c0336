import { openSink } from './mail-sink.ts';
import { Proxy } from '@gatehouse/runtime/testing';

type Mode = 'open' | '550' | '451';

/** A proxy in front of the mail server on this port, in the position of an attacker or a careless operator. */
export async function openMailProxy(port: number) {
  const proxy = await Proxy.open({ port });
  const quoting = await openSink();
  const refused: string[] = [];
  return {
    port: proxy.port,
    /** The texts of the refused mails, without headers. */
    refused,
    /** Forwards mails, or answers each with `550` or `451` and quotes the mail in the reply. */
    setMode: (mode: Mode): void => {
      proxy.targetPort = mode === 'open' ? port : quoting.port;
      // Some mail servers quote lines that they refuse.
      quoting.behaviour = (stage, to, content) => {
        if (stage !== 'content') return undefined;
        const [, ...parts] = content.split('\r\n\r\n');
        const mail = parts.join('\n').replaceAll('=\r\n', '').replaceAll('=3D', '=');
        refused.push(mail);
        const quoted = /[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}|InvitationToken=[\w-]+/.exec(mail)?.[0];
        return `${mode} <${to}>: we do not like ${quoted ?? 'it'}`;
      };
      proxy.cut();
    },
    close: async (): Promise<void> => {
      await proxy.close();
      await quoting.close();
    },
  };
}
