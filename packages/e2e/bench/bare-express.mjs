import express from 'express';

// The counterpart: Express 5 as its own pages show it, in a process of its own. It tells its parent its port,
// and the CPU seconds that it has used whenever it is asked. Plain JavaScript, so that every Node runs it bare.
const app = express();
app.use(express.json());
app.post('/ping', (_message, response) => {
  response.json({ PingStatus: 1 });
});
app.get('/hello', (_message, response) => {
  response.send('Pong Auth');
});
const server = app.listen(0, '127.0.0.1', () => {
  process.send({ port: server.address().port });
});
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send({ cpuSeconds: (user + system) / 1e6 });
});
// A bench that was killed leaves nothing behind, nor does Ctrl-C end the counterpart before its parent does.
process.on('disconnect', () => process.exit());
process.on('SIGINT', () => {});
