import { UnauthorizedError, type OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  StreamableHTTPClientTransport,
  StreamableHTTPError,
} from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { REDIRECT_URI, type Films } from './films.ts';

/** What an agent keeps of its sign-in, in memory, and what it knows of itself. */
export function newSignIn(redirectUrl: string, own: Partial<OAuthClientProvider>) {
  let verifier = '';
  const kept: { client?: OAuthClientInformationMixed; tokens?: OAuthTokens; asked?: URL } = {};
  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: { redirect_uris: [redirectUrl] },
    clientInformation: () => kept.client,
    saveClientInformation: (client) => void (kept.client = client),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void (kept.tokens = tokens),
    redirectToAuthorization: (url) => void (kept.asked = url),
    saveCodeVerifier: (text) => void (verifier = text),
    codeVerifier: () => verifier,
    invalidateCredentials: (scope) => {
      if (scope !== 'verifier') delete kept.tokens;
    },
    ...own,
  };
  return { kept, provider };
}

/** An agent that knows the address of an MCP server and its own client ID, and nothing of Gatehouse. */
export function newAgent({ resource, clientId, owner }: Films) {
  const own = { clientInformation: () => ({ client_id: clientId }) };
  const { kept, provider: authProvider } = newSignIn(REDIRECT_URI, own);
  let client: Client;
  const connect = async (): Promise<void> => {
    client = new Client({ name: 'agent', version: '1.0.0' });
    await client.connect(transport());
  };
  const transport = () => new StreamableHTTPClientTransport(new URL(resource), { authProvider });
  const call = async (name: string, input: Record<string, unknown> = {}): Promise<string> => {
    try {
      const { content } = await client.callTool({ name, arguments: input });
      return (content as { text: string }[]).map(({ text }) => text).join('');
    } catch (error) {
      if (error instanceof UnauthorizedError) return 'has to sign in';
      if (error instanceof StreamableHTTPError) return String(error.code);
      throw error;
    }
  };
  return {
    kept,
    connect,
    call,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    /** What it has sent its owner to the page for; the owner allows it. */
    signIn: async (): Promise<URLSearchParams> => {
      const { asked } = kept;
      if (asked === undefined) throw new Error('it has asked for nothing');
      delete kept.asked;
      const back = await owner.allow(asked);
      await transport().finishAuth(back.searchParams.get('code') ?? '');
      return asked.searchParams;
    },
    close: () => client.close(),
  };
}
