/** Sends the server's port to the parent, and its CPU time whenever the parent requests it. */
export function announce(server, facts = {}) {
  process.send({ port: server.address().port, ...facts });
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send({ cpuSeconds: (user + system) / 1e6 });
  });
  // If the bench is killed, the counterpart exits too. Ctrl-C must not end it before its parent.
  process.on('disconnect', () => process.exit());
  process.on('SIGINT', () => {});
}
