import express from 'express';
import { announce } from './announce.mjs';

// The counterpart: Express 5 as in its documentation, in a separate process.
const app = express();
app.use(express.json());
app.post('/ping', (_message, response) => {
  response.json({ PingStatus: 1 });
});
app.get('/hello', (_message, response) => {
  response.send('Pong Auth');
});
const server = app.listen(0, '127.0.0.1', () => announce(server));
