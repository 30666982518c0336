import { createServer } from 'node:http';
import { identityProvider, settings } from './provider.mjs';

createServer(identityProvider()).listen(settings.port, settings.bindAddress);
