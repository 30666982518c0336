/** The identity provider of `npm start`. It also serves the faces of the demo data: both exist only for trying things. */
import { createServer } from 'node:http';
import { answerPicture } from 'faces-app/pictures';
import { identityProvider, settings } from 'identity-provider-app';

const answer = identityProvider();
const server = createServer((request, response) => {
  if (!answerPicture(request, response)) answer(request, response);
});
server.listen(settings.port, settings.bindAddress);
process.on('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
});
