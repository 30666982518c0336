/** Tells the parent where the server listens, and how much CPU time it has used whenever that is asked. */
export function announce(server, facts = {}) {
  process.send({ port: server.address().port, ...facts });
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send({ cpuSeconds: (user + system) / 1e6 });
  });
  // A bench that was killed leaves nothing behind, nor does Ctrl-C end the counterpart before its parent does.
  process.on('disconnect', () => process.exit());
  process.on('SIGINT', () => {});
}
