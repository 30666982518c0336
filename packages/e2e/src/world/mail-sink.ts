import type { Socket } from 'node:net';
import { Proxy } from '@gatehouse/runtime/testing';
import { startTalker } from '../../../../services/mail-worker/src/testing/talker.ts';

/** A mail that the sink has accepted, even if its sender does not know it. */
export interface Received {
  to: string;
  messageId: string;
  /** The mail as it was transmitted, without soft line breaks. */
  text: string;
  /** When its end arrived, in epoch milliseconds. */
  at: number;
  /** Whether the reply that accepts it was sent. */
  isAnswered: boolean;
}

/** The stages of a conversation in which the mail server can misbehave, by the command of the client. */
const STAGES = { greeting: 'greeting', MAIL: 'from', RCPT: 'to', DATA: 'data', '.': 'content' } as const;
export type Stage = (typeof STAGES)[keyof typeof STAGES];

/**
 * Returns what the server does at a stage: sends this reply (`451 later`), never replies (`silent`) or breaks the
 * connection (`break`). At `content` the mail is given too, and counts as accepted unless the reply is a 4xx or 5xx.
 */
export type Behaviour = (stage: Stage, to: string, content: string) => string | undefined;

export type Sink = Awaited<ReturnType<typeof openSink>>;

export async function openSink() {
  const recipients = new WeakMap<Socket, string>();
  const server = await startTalker(({ command, line, content, socket }) => {
    if (command === 'EHLO') return '250-sink\r\n250-8BITMIME\r\n250 SMTPUTF8';
    if (command === 'RCPT') recipients.set(socket, /<([^<>]*)>/.exec(line)?.[1] ?? '');
    const to = recipients.get(socket) ?? '';
    const stage = (STAGES as Record<string, Stage>)[command]; // of any command
    const reply = stage && sink.behaviour?.(stage, to, content);
    const isSent = reply !== 'silent' && reply !== 'break';
    if (stage === 'content' && !/^[45]/.test(reply ?? '')) {
      const messageId = /^message-id: (.*)$/im.exec(content)?.[1]?.trim() ?? '';
      const text = content.replaceAll('=\r\n', '');
      sink.mails.push({ to, messageId, text, at: Date.now(), isAnswered: isSent });
    }
    if (reply === 'break') socket.destroy();
    return isSent ? reply : new Promise<never>(() => {});
  });
  const sink = {
    port: server.port,
    mails: [] as Received[],
    /** `undefined`: accepts every mail. */
    behaviour: undefined as Behaviour | undefined,
    mailsTo: (email: string): Received[] =>
      sink.mails.filter(({ to }) => to.toLowerCase() === email.toLowerCase()),
    close: async (): Promise<void> => {
      for (const socket of server.sockets) socket.destroy();
      await server.close();
    },
  };
  return sink;
}

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
