/** Sends the server's port to the parent, and whenever the parent asks, its CPU time and its state. */
export function announce(server, facts = {}, state = {}) {
  process.send({ port: server.address().port, ...facts });
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send({ cpuSeconds: (user + system) / 1e6, ...state });
  });
  // If the bench is killed, the counterpart exits too. Ctrl-C must not end it before its parent.
  process.on('disconnect', () => process.exit());
  process.on('SIGINT', () => {});
}
