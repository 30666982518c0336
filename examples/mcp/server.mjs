/* oxlint-disable oxc/no-async-endpoint-handlers -- Express 5 passes on what they reject with */
/** An MCP server with two tools, each with the scope that an agent needs for it. */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import express from 'express';
import { createVerifier, gatehouse, resourceMetadata } from 'gatehouse-verify';
import { z } from 'zod';

// oxlint-disable-next-line no-restricted-properties -- its own settings
const { ISSUER = 'http://127.0.0.1:8080', GATEHOUSE = ISSUER, GATEHOUSE_TOKEN = '' } = process.env;
// oxlint-disable-next-line no-restricted-properties -- its own settings
const { PORT = '3000', RESOURCE = `http://127.0.0.1:${PORT}/mcp` } = process.env;

const films = ['Metropolis'];
const answer = (text) => ({ content: [{ type: 'text', text }] });
const TOOLS = {
  list_films: {
    scope: 'films:read',
    about: { description: 'Lists the films' },
    run: () => answer(films.join('\n')),
  },
  add_film: {
    scope: 'films:write',
    about: { description: 'Adds a film', inputSchema: { title: z.string() } },
    run: ({ title }) => {
      films.push(title);
      return answer(`Added ${title}`);
    },
  },
};

const verifier = createVerifier({
  issuer: ISSUER,
  url: GATEHOUSE,
  audience: RESOURCE,
  resource: { name: 'Films', scopes: ['films:read', 'films:write'] },
  revocation: { feed: { token: GATEHOUSE_TOKEN } },
  onError: (error) => process.stderr.write(`${error.message}\n`),
});

/** What a request needs. A body may have several messages: then what they need together. */
const scopesOf = ({ body }) => [
  'films:read',
  ...[body].flat().flatMap((message) => TOOLS[message?.params?.name]?.scope ?? []),
];

const app = express();
app.use(resourceMetadata(verifier));
// Every body is read here, whatever type it has: nobody reads it in another way later.
app.use('/mcp', express.json({ type: () => true }));
app.post('/mcp', gatehouse(verifier, { scopes: scopesOf }), async (request, response) => {
  const server = new McpServer({ name: 'films', version: '1.0.0' });
  for (const [name, { about, run }] of Object.entries(TOOLS)) server.registerTool(name, about, run);
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
  response.on('close', () => void server.close());
  await server.connect(transport);
  await transport.handleRequest(request, response, request.body);
});
app.all('/mcp', (_request, response) => response.sendStatus(405));
app.listen(Number(PORT), '127.0.0.1', () => process.stdout.write(`${RESOURCE}\n`));
